import { isDeepStrictEqual } from 'node:util'
import type { Selectable } from 'kysely'
import { neverExpires } from '#contract/shared/messageExpiry.ts'
import type { Tables } from '#server/db/schema/tables.ts'
import { answersBehind, checkAnswers, missingAnswer } from './answerInvariants.ts'
import { checkFixes, missingFix } from './fixInvariants.ts'
import { bystanderPhone } from './people.ts'
import type { PaintRecord, TruthRecord } from './record.ts'
import type { World } from './world.ts'

type MessageRow = Selectable<Tables['messages']>

/** How far the driver's estimate of server time may be off, beyond half of its best round trip. */
const clockSlackMs = 100

/** The same for times corrected after the clock was synchronised. */
const correctedSlackMs = 1000

/** Checks what must hold once everything has settled. Returns the first rule not yet met. */
export async function firstUnsettled(world: World): Promise<string | null> {
  const rows = await messagesOf(world)
  const newest = rows.at(-1)?.version ?? 0
  for (const member of world.members) {
    if (member.mayHaveLeft) continue
    if (member.message?.version !== newest)
      return `${member.name} has version ${member.message?.version}, not ${newest}`
  }
  const [session] = await world.database.run<{ status: string }>(
    'select status from sessions where id = $1',
    [world.sessionId],
  )
  if (session?.status === 'Active') {
    const screen = world.currentScreen()
    const message = screen?.driver.message.state.message
    if (message?.version !== newest)
      return `the driver has version ${message?.version}, not ${newest}`
    const isDue = message.type !== null && !screen?.driver.message.state.isWithheld
    if (isDue && screen?.paintedVersion !== newest) return `version ${newest} is not painted`
    const missing = missingReceipt(world, rows)
    if (missing) return missing
    const unanswered = await missingAnswer(world)
    if (unanswered) return unanswered
  }
  const behind = membersBehind(world, rows) ?? (await answersBehind(world))
  return behind ?? (await missingFix(world)) ?? shownOffline(world, session?.status === 'Active')
}

/** Checks what must hold at all times, for the whole history. */
export async function checkHistory(world: World) {
  const { record } = world
  const rows = await messagesOf(world)
  const byCommand = new Map(rows.map(row => [row.command_id, row]))
  rows.forEach((row, index) => {
    if (row.version !== index + 1) record.violate('versions have a gap', `${row.version}`)
  })
  for (const press of record.presses) {
    if (!press.answer) continue
    const row = byCommand.get(press.commandId)
    if (!row) record.violate('an acknowledged message was lost', JSON.stringify(press))
    else if (row.type !== press.type || row.ask !== press.ask)
      record.violate('a message changed', JSON.stringify(press))
  }
  checkOrder(world, byCommand)
  for (const row of rows) checkReceipts(world, row)
  checkPaints(world)
  await checkAnswers(world)
  await checkFixes(world)
  await checkBystanders(world)
}

/** Checks that nothing of a session changed the rows of another one. */
async function checkBystanders({ database, record, sessionId }: World) {
  const [other] = await database.run<Record<string, unknown>>(
    'select status, speed, message_version, last_driver_contact, driving_since, phone from sessions_view where id <> $1',
    [sessionId],
  )
  const untouched = {
    status: 'Active',
    speed: null,
    message_version: 0,
    last_driver_contact: null,
    driving_since: null,
    phone: bystanderPhone,
  }
  if (!isDeepStrictEqual(other, untouched))
    record.violate('the session of another team was changed', JSON.stringify(other))
}

/** Checks that a command sent after an acknowledgement got a higher version. */
function checkOrder(world: World, byCommand: Map<string, MessageRow>) {
  const { presses } = world.record
  for (const later of presses)
    for (const earlier of presses) {
      if (!earlier.answer || earlier.answer.atMs > later.pressedAtMs) continue
      const [first, second] = [byCommand.get(earlier.commandId), byCommand.get(later.commandId)]
      if (first && second && second.version <= first.version)
        world.record.violate('messages were reordered', `${second.version} after ${first.version}`)
    }
}

/** Checks that no receipt is stored for something that did not happen, or earlier than it happened. */
function checkReceipts({ record }: World, row: MessageRow) {
  const { version, reached_at, shown_at, copied_at } = row
  if (reached_at && !record.reached.has(version))
    record.violate('a message was reported as reached', `${version} never reached the phone`)
  const paints = record.paints.filter(paint => paint.version === version)
  if (shown_at && paints.length === 0)
    record.violate('a message was reported as shown', `${version} was never painted`)
  const taps = record.taps.filter(tap => tap.version === version)
  if (copied_at && taps.length === 0)
    record.violate('a message was reported as acknowledged', `${version} was never tapped`)
  if (!shown_at || paints.length === 0) return
  // The acknowledgement implies the earlier stages (S1), with its own time if their reports came later.
  if (copied_at?.getTime() === shown_at.getTime()) return
  const excessMs = Math.min(...paints.map(paint => excessOf(paint, shown_at, row.sent_at, record)))
  if (excessMs > 0)
    record.violate('a receipt has a wrong time', `${version} is off by ${Math.round(excessMs)} ms`)
}

/** The error of a receipt's time beyond what the device could know. */
function excessOf(paint: PaintRecord, shownAt: Date, sentAt: Date, record: TruthRecord): number {
  const { device, atMs, isClockSynchronized, clockErrorMs } = paint
  const wasSet = record.clockSets.some(set => set.device === device && set.atMs >= atMs)
  // A time taken by the device's own clock cannot be corrected after that clock was set.
  if (!isClockSynchronized && wasSet) return 0
  const slackMs = isClockSynchronized ? clockSlackMs : correctedSlackMs
  return Math.abs(shownAt.getTime() - Math.max(atMs, sentAt.getTime())) - clockErrorMs - slackMs
}

/** Checks that no old or expired message was painted. */
function checkPaints({ record }: World) {
  const highest = new Map<string, number>()
  for (const paint of record.paints) {
    const before = highest.get(paint.screen) ?? 0
    if (paint.version < before)
      record.violate(
        'an old message was painted',
        `${paint.version} after ${before} on ${paint.screen}`,
      )
    highest.set(paint.screen, Math.max(before, paint.version))
    if (paint.expiresAt === null || paint.wasSeen || neverExpires(paint.type)) continue
    const lateMs = paint.atMs - paint.expiresAt
    if (lateMs > paint.clockErrorMs + clockSlackMs)
      record.violate(
        'an expired message was painted',
        `${paint.version}, ${Math.round(lateMs)} ms late`,
      )
  }
}

/** Finds a painted message whose receipt is missing although it could be sent. */
function missingReceipt(world: World, rows: readonly MessageRow[]): string | null {
  const current = world.currentScreen()?.name
  for (const { version, screen, isStored } of world.record.paints) {
    // A screen that was taken over cannot report any more.
    if (screen !== current || !isStored) continue
    const row = rows[version - 1]
    if (row && !row.shown_at) return `the painted version ${version} is not reported`
  }
  const newest = rows.at(-1)
  const tapped = world.record.taps.some(
    tap => tap.version === newest?.version && tap.screen === current && tap.isStored,
  )
  if (tapped && newest && !newest.copied_at)
    return `the acknowledgement of ${newest.version} is not reported`
  return null
}

/** Finds a team screen that lacks a stored receipt of the newest message. */
function membersBehind(world: World, rows: readonly MessageRow[]): string | null {
  const newest = rows.at(-1)
  for (const member of world.members) {
    if (member.mayHaveLeft || !newest || !member.message) continue
    const { reachedAt, shownAt, copiedAt } = member.message
    const stages = [
      ['reached', newest.reached_at, reachedAt],
      ['shown', newest.shown_at, shownAt],
      ['copied', newest.copied_at, copiedAt],
    ] as const
    for (const [stage, stored, seen] of stages)
      if (stored && seen === null)
        return `${member.name} does not know that ${newest.version} was ${stage}`
  }
  return null
}

function shownOffline(world: World, isActive: boolean): string | null {
  if (!isActive) return null
  const member = world.members.find(each => !each.mayHaveLeft && !each.showsOnline())
  return member ? `${member.name} sees the driver offline` : null
}

function messagesOf({ database, sessionId }: World): Promise<MessageRow[]> {
  return database.run<MessageRow>('select * from messages where session_id = $1 order by version', [
    sessionId,
  ])
}
