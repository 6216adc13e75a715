import type { Kysely } from 'kysely'
import type { Answer, AnswerKind } from '#contract/answers.ts'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'

interface AnswerReport {
  id: string
  kind: AnswerKind
  version: number
  at: EpochMs
}

/** The maximum time between an answer and its arrival: a day without a network. An older time is limited. */
const maxAnswerAgeMs = dayMs

/** Maximum number of answers stored for a session: one every 20 s for 24 hours, and half a megabyte. */
export const maxStoredAnswers = storedBounds.answers.max

/**
 * Stores and publishes an answer of the driver. Idempotent by its id: a repeated answer stores nothing and is
 * published again, because a phone repeats it until it receives the published one. Refuses only `session-ended` and
 * `data-link-off`: an answer that is refused for good would keep the phone from sending the next one. The caller must
 * have checked that it comes from the driver.
 */
export async function recordAnswer(
  { commandDb, clock, live, events }: Pick<AppContext, 'commandDb' | 'clock' | 'live' | 'events'>,
  sessionId: SessionId,
  report: AnswerReport,
) {
  const answer = await commandDb
    .transaction()
    .execute(trx => storeAnswer(trx, sessionId, report, clock))
  live.publish(`session:${sessionId}`, { t: 'answer', session: sessionId, answer })
  const { kind, number, at } = answer
  if (kind === 'Problem') events.record({ sessionId, kind: 'problem', occurrence: number, at })
}

/** Locks the session's row, so that answers get consecutive numbers. */
async function storeAnswer(
  trx: Kysely<Tables>,
  sessionId: SessionId,
  { id, kind, version, at }: AnswerReport,
  clock: Clock,
): Promise<Answer> {
  const session = await trx
    .selectFrom('sessions')
    .select(['status', 'data_link', 'message_version', 'answer_number'])
    .where('id', '=', sessionId)
    .forUpdate()
    .executeTakeFirst()
  const stored = await trx
    .selectFrom('answers')
    .select('number')
    .where('session_id', '=', sessionId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (stored) return answerOf(trx, sessionId, stored.number)
  if (session?.status !== 'Active') throw new Refusal('session-ended')
  if (!session.data_link) throw new Refusal('data-link-off')
  const number = session.answer_number + 1
  const now = clock.now()
  await trx
    .insertInto('answers')
    .values({
      session_id: sessionId,
      id,
      number,
      kind,
      // A database restored from a backup may lack the message.
      version: (await wasSent(trx, sessionId, version)) ? version : session.message_version,
      answered_at: new Date(Math.min(now, Math.max(at, now - maxAnswerAgeMs))),
      received_at: new Date(now),
    })
    .execute()
  const isAboutProblem = kind === 'Problem' || kind === 'TakenBack'
  await trx
    .updateTable('sessions')
    .set({ answer_number: number, ...(isAboutProblem && { problem_number: number }) })
    .where('id', '=', sessionId)
    .execute()
  await dropOldest(trx, sessionId)
  return answerOf(trx, sessionId, number)
}

/** True for the version of a message of the session, and for 0, the state before the first one. */
async function wasSent(trx: Kysely<Tables>, sessionId: SessionId, version: number) {
  if (version === 0) return true
  const message = await trx
    .selectFrom('messages')
    .select('version')
    .where('session_id', '=', sessionId)
    .where('version', '=', version)
    .executeTakeFirst()
  return message !== undefined
}

/**
 * Drops all answers but the newest ones, because a report of a problem must never be refused for old answers. The newest
 * one about a problem stays, because screens show it.
 */
async function dropOldest(trx: Kysely<Tables>, sessionId: SessionId) {
  // Not computed from the numbers: a restore leaves a gap in them.
  const newestTooMany = trx
    .selectFrom('answers')
    .select('number')
    .where('session_id', '=', sessionId)
    .orderBy('number', 'desc')
    .offset(maxStoredAnswers)
    .limit(1)
  await trx
    .deleteFrom('answers')
    .where('session_id', '=', sessionId)
    .where('number', '<=', newestTooMany)
    .where('number', '!=', ({ selectFrom }) =>
      selectFrom('sessions').select('problem_number').where('id', '=', sessionId),
    )
    .execute()
}

/** Reads one answer by its number. */
export async function answerOf(
  db: Kysely<Tables>,
  sessionId: SessionId,
  number: number,
): Promise<Answer> {
  const { answer } = await db
    .selectFrom('answers_view')
    .select('answer')
    .where('session_id', '=', sessionId)
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  return answer
}

/**
 * Reads the answers to some messages of a session by version, the oldest first. The caller must have checked the
 * membership.
 */
export async function answersByVersion(
  db: Kysely<Tables>,
  sessionId: SessionId,
  { from, to }: { from: number; to: number },
): Promise<Map<number, Answer[]>> {
  const rows = await db
    .selectFrom('answers_view')
    .select('answer')
    .where('session_id', '=', sessionId)
    .where('version', '>=', from)
    .where('version', '<=', to)
    .orderBy('number')
    .execute()
  const byVersion = new Map<number, Answer[]>()
  for (const { answer } of rows) {
    const answers = byVersion.get(answer.version)
    if (answers) answers.push(answer)
    else byVersion.set(answer.version, [answer])
  }
  return byVersion
}
