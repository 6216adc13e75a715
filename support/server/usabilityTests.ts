import { type Kysely, type Selectable, sql } from 'kysely'
import type { UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Tables } from '#server/db/schema/tables.ts'
import type { UsabilityTest } from '#support/contract/support.ts'
import { peopleById } from './agents/audit.ts'
import type { SupportTables } from './tables.ts'

type Made = Pick<UsabilityTest, 'title' | 'guidelines' | 'tasks'>

interface Signal {
  testId: number
  userId: UserId
  /** From 1; null for the test as a whole. */
  task: number | null
  status: SupportTables['support_signals']['status']
  durationMs: number
  answer?: string | undefined
}

export async function makeTest(db: Kysely<Tables>, made: Made, agentId: UserId) {
  const row = await db
    .insertInto('support_tests')
    .values({ ...made, tasks: JSON.stringify(made.tasks), created_by: agentId })
    .returningAll()
    .executeTakeFirstOrThrow()
  return fromRow(row)
}

/** Lists the newest tests first. */
export async function allTests(db: Kysely<Tables>): Promise<UsabilityTest[]> {
  const rows = await db
    .selectFrom('support_tests')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(500)
    .execute()
  return rows.map(fromRow)
}

/** Returns a test with its results, by person and task. Refuses with `not-found`. */
export async function testWithSignals(db: Kysely<Tables>, testId: number) {
  const test = await testById(db, testId)
  if (!test) throw new Refusal('not-found')
  const rows = await db
    .selectFrom('support_signals')
    .selectAll()
    .where('test_id', '=', testId)
    .orderBy('at')
    .limit(5000)
    .execute()
  const people = await peopleById(
    db,
    rows.map(({ user_id }) => user_id),
  )
  return {
    ...test,
    people: [...people.values()],
    signals: rows.map(({ user_id, task, status, duration_ms, answer, at }) => ({
      userId: user_id,
      task: task === 0 ? null : task,
      status,
      durationMs: duration_ms,
      answer,
      at: at.getTime(),
    })),
  }
}

/**
 * Returns a test in the format of the tracker's widget. The widget inserts the guidelines as HTML, so they
 * are escaped. It requests neither camera nor microphone, because the widget never ends when a browser
 * denies them.
 */
export async function testForVisitor(db: Kysely<Tables>, testId: number) {
  const test = await testById(db, testId)
  if (!test) return null
  return {
    title: test.title,
    description: '',
    guidelines: escaped(test.guidelines),
    reqMic: false,
    reqCamera: false,
    tasks: test.tasks.map(({ title, description, allowTyping }, index) => ({
      task_id: index + 1,
      title,
      description,
      allow_typing: allowTyping,
    })),
  }
}

/**
 * Stores the progress of one person in a test; repeating a step overwrites it. Refuses a test or task that
 * does not exist.
 */
export async function saveSignal(db: Kysely<Tables>, signal: Signal) {
  const { testId, userId, task, status, answer = null } = signal
  const test = await testById(db, testId)
  if (!test || (task !== null && task > test.tasks.length)) throw new Refusal('not-found')
  // After a reload the widget has lost the start time.
  const known = status === 'begin' || signal.durationMs > 0
  const durationMs = known ? signal.durationMs : await sinceBegin(db, signal)
  await db
    .insertInto('support_signals')
    .values({
      test_id: testId,
      user_id: userId,
      task: task ?? 0,
      status,
      duration_ms: durationMs,
      answer,
    })
    .onConflict(conflict =>
      conflict
        .columns(['test_id', 'user_id', 'task', 'status'])
        .doUpdateSet({ duration_ms: durationMs, answer, at: sql<Date>`now()` }),
    )
    .execute()
}

async function sinceBegin(db: Kysely<Tables>, { testId, userId, task }: Signal): Promise<number> {
  const row = await db
    .selectFrom('support_signals')
    .select('at')
    .where('test_id', '=', testId)
    .where('user_id', '=', userId)
    .where('task', '=', task ?? 0)
    .where('status', '=', 'begin')
    .executeTakeFirst()
  const ms = row ? Date.now() - row.at.getTime() : 0
  return Math.min(Math.max(ms, 0), 2_147_483_647)
}

async function testById(db: Kysely<Tables>, id: number): Promise<UsabilityTest | null> {
  const row = await db
    .selectFrom('support_tests')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? fromRow(row) : null
}

function fromRow(row: Selectable<SupportTables['support_tests']>): UsabilityTest {
  const { id, title, guidelines, tasks, created_at } = row
  return { id, title, guidelines, tasks, createdAt: created_at.getTime() }
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
