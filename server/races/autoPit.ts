import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { EpochMs, SessionId, TeamId, UserId } from '#contract/ids.ts'
import type { Message } from '#contract/messages.ts'
import { Refusal } from '#contract/refusal.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import { isOrder } from '#contract/shared/messageTypes.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { carStrategy } from '#racing/race/carStrategy.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { storedLaps } from '../laps/storedLaps.ts'
import { storeNext } from '../messages/messages.ts'
import { requireStillEditor } from '../rights/requireMember.ts'
import { changeSession } from './changeSession.ts'
import { raceForReader } from './raceOfSession.ts'

type Context = Pick<AppContext, 'db' | 'commandDb' | 'readDb' | 'clock' | 'live' | 'log'>

/** Sets whether the plan sends PIT one lap before the stop. The person who turns it on is the sender. */
export async function setAutoPit(
  context: Pick<AppContext, 'db' | 'live' | 'recorder' | 'clock'>,
  userId: UserId,
  { sessionId, on }: { sessionId: SessionId; on: boolean },
) {
  await changeSession(context, userId, sessionId, async trx => {
    await trx
      .updateTable('sessions')
      .set({ auto_pit_by: on ? userId : null })
      .where('id', '=', sessionId)
      .execute()
  })
}

/**
 * Sends PIT if a member turned it on and the car has to use the next pit entry but one: once, until more laps are left
 * again. Call it after laps or entries changed. Failures are logged: the next lap tries again.
 */
export async function sendAutoPit(context: Context, sessionId: SessionId) {
  try {
    const message = await autoPit(context, sessionId)
    if (!message) return
    context.live.publish(`session:${sessionId}`, { t: 'message', session: sessionId, message })
    const { version, sentBy: userId } = message
    context.log.info({ sessionId, version, userId, byPlan: true }, 'message stored')
  } catch (err) {
    if (err instanceof Refusal)
      // The data link is off, or the session or the sender's right to send has just ended.
      context.log.info({ sessionId, code: err.code }, 'PIT by the plan was refused')
    else context.log.warn({ err, sessionId }, 'failed to send PIT by the plan, will retry')
  }
}

async function autoPit(
  { db, commandDb, readDb, clock }: Context,
  sessionId: SessionId,
): Promise<Message | null> {
  const sender = await senderOf(db, sessionId)
  if (!sender) return null
  const { userId, teamId } = sender
  const entries = await raceForReader(readDb, { sessionId, userId }, clock.now())
  const { lapsToPit } = carStrategy(entries, await storedLaps(readDb, sessionId), clock.now())
  // In the pits the entries of the stop are still to come.
  if (lapsToPit === null || entries.pitVisits.at(-1)?.endedAt === null) return null
  if (lapsToPit > 1) {
    await startAgain(db, sessionId)
    return null
  }
  const lastStopAt = lastStopOf(entries)
  return commandDb.transaction().execute(async trx => {
    // Locked before the session, in the same order as a removal does.
    await requireStillEditor(trx, teamId, userId)
    // The lock lets several nodes decide one at a time.
    const { message, decidedAt } = await lockedSession(trx, sessionId)
    if (decidedAt !== null) return null
    if (message && isOrder(message.type)) return null
    // The driver may still see the team's own PIT: the next lap decides.
    const isOfTeam = message?.type === 'Pit' && !message.byPlan && message.sentAt >= lastStopAt
    if (isOfTeam && message.shownAt === null && message.expiresAt > clock.now()) return null
    await trx
      .updateTable('sessions')
      .set({ auto_pit_sent_at: new Date(clock.now()) })
      .where('id', '=', sessionId)
      .execute()
    // The team was faster, unless its PIT expired before the driver saw it.
    if (isOfTeam && message.shownAt !== null) return null
    const send = { sessionId, type: 'Pit', commandId: randomUUID(), byPlan: true } as const
    return storeNext(trx, userId, send, clock)
  })
}

/** The next stop is several laps away, after a stop or a corrected entry: PIT may be sent for it. */
async function startAgain(db: Kysely<Tables>, sessionId: SessionId) {
  await db
    .updateTable('sessions')
    .set({ auto_pit_sent_at: null })
    .where('id', '=', sessionId)
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

/** Locks a session, and reads its current message and when the plan decided the last time. */
async function lockedSession(trx: Kysely<Tables>, sessionId: SessionId) {
  const { message_version, auto_pit_sent_at } = await trx
    .selectFrom('sessions')
    .select(['message_version', 'auto_pit_sent_at'])
    .where('id', '=', sessionId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const row = await trx
    .selectFrom('messages')
    .select(['type', 'sent_at', 'shown_at', 'expires_at', 'by_plan'])
    .where('session_id', '=', sessionId)
    .where('version', '=', message_version)
    .executeTakeFirst()
  return {
    message: row?.type
      ? {
          type: row.type,
          sentAt: row.sent_at.getTime(),
          shownAt: row.shown_at?.getTime() ?? null,
          expiresAt: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
          byPlan: row.by_plan,
        }
      : null,
    decidedAt: auto_pit_sent_at?.getTime() ?? null,
  }
}

/** Returns when the car stopped the last time, as far as it is known; 0 before. */
function lastStopOf({ stints, fills, pitVisits }: RaceOfSession): EpochMs {
  const changes = stints.slice(1).map(({ from }) => from)
  const filled = fills.filter(({ kind }) => kind !== 'start').map(({ at }) => at)
  return greatestOf([0, ...changes, ...filled, ...pitVisits.map(({ startedAt }) => startedAt)])
}
