import type { Selectable } from 'kysely'
import type { Tables } from '#server/db/schema/tables.ts'
import type { AnswerRecord } from './record.ts'
import type { World } from './world.ts'

type AnswerRow = Selectable<Tables['answers']>

/** How far an answer's time may be off, beyond half of the best round trip. */
const clockSlackMs = 100

/** The same for times corrected by the first round trip after the clock was lost, which may take 4 s. */
const correctedSlackMs = 2000

/** Finds an answer that the current phone kept and the server lacks. */
export async function missingAnswer(world: World): Promise<string | null> {
  const current = world.currentScreen()?.name
  const stored = new Set((await answersOf(world)).map(({ id }) => id))
  // A screen that was taken over cannot send any more.
  for (const { id, kind, version, screen, isStored } of world.record.answers)
    if (screen === current && isStored && !stored.has(id))
      return `the answer ${kind} to ${version} is not stored`
  return null
}

/** Finds a team screen that lacks the newest answer, or shows another problem. */
export async function answersBehind(world: World): Promise<string | null> {
  const rows = await answersOf(world)
  const newest = rows.at(-1)?.number
  const problem = rows.findLast(({ kind }) => kind === 'Problem' || kind === 'TakenBack')?.number
  for (const member of world.members) {
    if (member.mayHaveLeft) continue
    if (member.answers?.answer?.number !== newest)
      return `${member.name} has answer ${member.answers?.answer?.number}, not ${newest}`
    if (member.answers?.problem?.number !== problem)
      return `${member.name} has problem ${member.answers?.problem?.number}, not ${problem}`
  }
  return null
}

/** Checks that each press is one answer at most, unchanged, in order, and at its time. */
export async function checkAnswers(world: World) {
  const { record } = world
  const pressed = new Map(record.answers.map(each => [each.id, each]))
  const lastOf = new Map<string, AnswerRecord>()
  const rows = await answersOf(world)
  rows.forEach((row, index) => {
    record.count('answers stored')
    if (row.number !== index + 1) record.violate('answers have a gap', `${row.number}`)
    const press = pressed.get(row.id)
    if (!press) return record.violate('an answer was stored that nobody gave', row.id)
    if (row.kind !== press.kind || row.version !== press.version)
      record.violate('an answer changed', JSON.stringify({ row, press }))
    const before = lastOf.get(press.screen)
    if (before && before.atMs > press.atMs)
      record.violate('answers were reordered', `${row.number} on ${press.screen}`)
    lastOf.set(press.screen, press)
    const excessMs = excessOf(world, press, row.answered_at)
    if (excessMs > 0)
      record.violate('an answer has a wrong time', `${row.number} by ${Math.round(excessMs)} ms`)
  })
}

function excessOf({ record }: World, press: AnswerRecord, storedAt: Date): number {
  const { device, atMs, isClockSynchronized, clockErrorMs } = press
  const wasSet = record.clockSets.some(set => set.device === device && set.atMs >= atMs)
  // A time taken by the device's own clock cannot be corrected after that clock was set.
  if (!isClockSynchronized && wasSet) return 0
  const slackMs = isClockSynchronized ? clockSlackMs : correctedSlackMs
  return Math.abs(storedAt.getTime() - atMs) - clockErrorMs - slackMs
}

function answersOf({ database, sessionId }: World): Promise<AnswerRow[]> {
  return database.run<AnswerRow>('select * from answers where session_id = $1 order by number', [
    sessionId,
  ])
}
