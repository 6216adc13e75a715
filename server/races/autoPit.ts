import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { EpochMs, SessionId, TeamId, UserId } from '#contract/ids.ts'
import type { MessageType } from '#contract/messages.ts'
import { Refusal } from '#contract/refusal.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import { isPitCall, isSafetyOrder, pitCalls } from '#contract/shared/messageTypes.ts'
import type { LaidPlan } from '#racing/race/carPlan.ts'
import { type CarRace, carRaceOf } from '#racing/race/carRace.ts'
import { carStrategy } from '#racing/race/carStrategy.ts'
import { recentPlan } from '#racing/race/recentPlan.ts'
import type { AppContext } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { lockedAgainstFixes } from '../db/lockedInOrder.ts'
import type { Tables } from '../db/schema/tables.ts'
import { type Addressed, publishMessage, storeNext } from '../messages/messages.ts'
import { requireStillEditor } from '../rights/requireMember.ts'
import { recordCarChange } from '../teams/recordCarChange.ts'
import { changeCarEntries } from './changeCarEntries.ts'
import { carRaceForReader } from './storedCarRace.ts'

type Context = Pick<AppContext, 'db' | 'commandDb' | 'readDb' | 'clock' | 'live' | 'log'>

/**
 * Sets whether the plan sends PIT in the lap of the stop, for all active phones of the car. The person who turns it on
 * is the sender.
 */
export async function setAutoPit(
  context: Pick<AppContext, 'db' | 'live' | 'recorder' | 'clock'>,
  userId: UserId,
  { sessionId, on }: { sessionId: SessionId; on: boolean },
) {
  await changeCarEntries(context, userId, sessionId, async (trx, { phones }) => {
    const ids = phones.filter(({ status }) => status === 'Active').map(({ id }) => id)
    const auto_pit_by = on ? userId : null
    const { numUpdatedRows } = await trx
      .updateTable('sessions')
      .set({ auto_pit_by })
      .where(isOneOf('id', [sessionId, ...ids]))
      .where('auto_pit_by', 'is distinct from', auto_pit_by)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    const kind = on ? 'auto-pit-on' : 'auto-pit-off'
    await recordCarChange(trx, { sessionId, kind, actorId: userId, at: context.clock.now() })
  })
}

/**
 * Sends PIT if a member turned it on and the car of a session has to use the next pit entry: once, until more laps are
 * left again, whichever phone is in the car. Call it after laps or entries changed. Failures are logged: the next lap
 * tries again.
 */
export async function sendAutoPit(context: Context, sessionId: SessionId) {
  const { live, log } = context
  try {
    for (const { sessionId: phone, message } of await autoPit(context, sessionId)) {
      if (!message) continue
      publishMessage(live, phone, message)
      const { version, sentBy: userId } = message
      log.info({ sessionId: phone, version, userId, byPlan: true }, 'message stored')
    }
  } catch (err) {
    if (err instanceof Refusal)
      // The data link is off, or the session or the sender's right to send has just ended.
      log.info({ sessionId, code: err.code }, 'PIT by the plan was refused')
    else log.warn({ err, sessionId }, 'failed to send PIT by the plan, will retry')
  }
}

async function autoPit(
  { db, commandDb, readDb, clock }: Context,
  sessionId: SessionId,
): Promise<Addressed[]> {
  const sender = await senderOf(db, sessionId)
  if (!sender) return []
  const { userId, teamId } = sender
  const stored = await carRaceForReader(readDb, { sessionId, userId }, clock.now())
  const carRace = carRaceOf(stored)
  const { lapsToPit, pitReason } = carStrategy(carRace, clock.now())
  const run = stored.runs.at(-1)
  // In the pits the entries of the stop are still to come.
  if (lapsToPit === null || carRace.visits.at(-1)?.endedAt === null) return []
  if (!run?.sessionId || run.until !== null) return []
  const phones = stored.phones.map(phone => phone.sessionId)
  if (lapsToPit > 1) {
    await startAgain(db, phones)
    return []
  }
  // PIT means this lap.
  if (lapsToPit > 0) return []
  if (pitReason !== 'fuel' && reachesEnd(recentPlan(carRace, clock.now()))) return []
  const inCar = [run.sessionId, ...stored.unsure]
  const lastStopAt = lastStopOf(carRace)
  return commandDb.transaction().execute(async trx => {
    // Locked before the sessions, in the same order as a removal does.
    await requireStillEditor(trx, teamId, userId)
    // The locks let several nodes decide one at a time.
    const decidedAt = await lockedDecision(trx, phones)
    const shown = await messagesOf(trx, inCar)
    if (shown.some(({ type }) => isSafetyOrder(type))) return []
    const isLost = () => lacksPit(trx, { phones, inCar, sinceMs: lastStopAt })
    if (decidedAt !== null && (decidedAt < lastStopAt || !(await isLost()))) return []
    const ofTeam = shown.filter(
      ({ type, byPlan, sentAt }) => isPitCall(type) && !byPlan && sentAt >= lastStopAt,
    )
    // The driver may still see the team's own PIT: the next lap decides.
    if (ofTeam.some(({ wasShown, expiresAt }) => !wasShown && expiresAt > clock.now())) return []
    await trx
      .updateTable('sessions')
      .set({ auto_pit_sent_at: new Date(clock.now()) })
      .where(isOneOf('id', phones))
      .where('status', '=', 'Active')
      .execute()
    // The team was faster, unless its PIT expired before the driver saw it.
    if (ofTeam.some(({ wasShown }) => wasShown)) return []
    const send = { sessionId, type: 'Pit', commandId: randomUUID(), byPlan: true } as const
    return storeNext(trx, userId, send, clock)
  })
}

/** Returns whether a plan has no stop before the end of the race, and its current stint breaks no limit until then. */
function reachesEnd(planned: LaidPlan | null): boolean {
  if (!planned) return false
  const { stints, broken } = planned.plan
  const last = stints.at(-1)
  if (stints.some(({ state, number }) => state === 'next' && number > 1)) return false
  return !broken.some(limit => 'number' in limit && limit.number === last?.number)
}

/** The next stop is several laps away, after a stop or a corrected entry: PIT may be sent for it. */
async function startAgain(db: Kysely<Tables>, phones: readonly SessionId[]) {
  await db
    .updateTable('sessions')
    .set({ auto_pit_sent_at: null })
    .where(isOneOf('id', phones))
    .where('auto_pit_sent_at', 'is not', null)
    .execute()
}

/** Returns the member who turned it on, while the session is active; null if nobody did. */
async function senderOf(
  db: Kysely<Tables>,
  sessionId: SessionId,
): Promise<{ userId: UserId; teamId: TeamId } | null> {
  const row = await db
    .selectFrom('sessions')
    .select(['auto_pit_by', 'team_id'])
    .where('id', '=', sessionId)
    .where('status', '=', 'Active')
    .executeTakeFirst()
  if (!row || row.auto_pit_by === null) return null
  return { userId: row.auto_pit_by, teamId: row.team_id }
}

/** Locks the sessions of a car, and reads when the plan decided the last time; null if it has to. */
async function lockedDecision(
  trx: Kysely<Tables>,
  phones: readonly SessionId[],
): Promise<EpochMs | null> {
  await lockedAgainstFixes(trx)
    .where(isOneOf('sessions.id', phones))
    .where('status', '=', 'Active')
    .execute()
  const { at } = await trx
    .selectFrom('sessions')
    .select(({ fn }) => fn.max('auto_pit_sent_at').as('at'))
    .where(isOneOf('id', phones))
    .where('status', '=', 'Active')
    .executeTakeFirstOrThrow()
  return at?.getTime() ?? null
}

/** Reads what is on the screens of some phones. */
async function messagesOf(trx: Kysely<Tables>, phones: readonly SessionId[]) {
  const rows = await trx
    .selectFrom('messages')
    .innerJoin('sessions', join =>
      join
        .onRef('sessions.id', '=', 'messages.session_id')
        .onRef('sessions.message_version', '=', 'messages.version'),
    )
    .select(['type', 'sent_at', 'shown_at', 'expires_at', 'by_plan'])
    .where(isOneOf('sessions.id', phones))
    .where('type', 'is not', null)
    .$narrowType<{ type: MessageType }>()
    .execute()
  return rows.map(row => ({
    type: row.type,
    sentAt: row.sent_at.getTime(),
    wasShown: row.shown_at !== null,
    expiresAt: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
    byPlan: row.by_plan,
  }))
}

/** Returns whether another phone took over before the driver saw a PIT that was sent since a time. */
async function lacksPit(
  trx: Kysely<Tables>,
  {
    phones,
    inCar,
    sinceMs,
  }: { phones: readonly SessionId[]; inCar: readonly SessionId[]; sinceMs: EpochMs },
): Promise<boolean> {
  const pit = await trx
    .selectFrom('messages')
    .select('version')
    .where(isOneOf('session_id', phones))
    .where('type', 'in', pitCalls)
    .where('sent_at', '>=', new Date(sinceMs))
    .where(({ or, eb }) => or([eb('shown_at', 'is not', null), isOneOf('session_id', inCar)]))
    .limit(1)
    .executeTakeFirst()
  return pit === undefined
}

/** Returns when the car stopped the last time, as far as it is known; 0 before. */
function lastStopOf({ stints, fills, visits }: CarRace): EpochMs {
  const changes = stints.slice(1).map(({ from }) => from)
  const filled = fills.filter(({ kind }) => kind !== 'start').map(({ at }) => at)
  return greatestOf([0, ...changes, ...filled, ...visits.map(({ startedAt }) => startedAt)])
}
