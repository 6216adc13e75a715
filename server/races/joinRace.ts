import { randomUUID } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { CarId, EpochMs, RaceId, SessionId, TeamId, UserId } from '#contract/ids.ts'
import { joinsAroundStartMs } from '#contract/shared/raceRules.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { publishMessage, storeNext } from '../messages/messages.ts'
import { requireCar } from '../roster/rosterChecks.ts'
import { inheritSettings, type PublishInherited } from '../sessions/inheritSettings.ts'
import { changeCarEntries } from './changeCarEntries.ts'
import { type Ending, endAfterRace, publishEndedAfterRace } from './endSession.ts'
import { isDue } from './moveActiveSessions.ts'
import { carOfSession, type PhoneRow } from './phonesOfCar.ts'
import { openRaces } from './races.ts'
import { isSameCar } from './runs.ts'
import type { DrivenSession } from './storedCarRace.ts'

/**
 * Returns the race that a session joins when it starts or gets this car: of those that name the car or no car at all the
 * one that runs; else that of the other phones of the car, also if it has ended, so that a car is one car for its team;
 * else the next one that is due. Null without one. If a race is due, it ends the sessions of silent phones in ended races:
 * call `publishEndedAfterRace` after the commit.
 */
export async function raceToJoin(
  trx: Transaction<Tables>,
  context: Pick<AppContext, 'clock' | 'recorder'>,
  {
    teamId,
    carId,
    joining = null,
  }: { teamId: TeamId; carId: CarId | null; joining?: SessionId | null },
): Promise<{ raceId: RaceId | null; ended: readonly Ending[] }> {
  const nowMs = context.clock.now()
  const open = await openRaces(trx, teamId)
  const due = open.find(race => {
    const { carIds } = race
    const isNamed = carIds.length === 0 || (carId !== null && carIds.includes(carId))
    return isNamed && isDue(race, nowMs)
  })
  const mayEnd = due !== undefined && carId !== null
  const ended = mayEnd ? await endAfterRace(trx, context, { teamId, carIds: [carId], joining }) : []
  if (due && due.startedAt !== null) return { raceId: due.id, ended }
  const ofPhones = await raceOfPhones(trx, { teamId, carId }, nowMs)
  return { raceId: ofPhones ?? due?.id ?? null, ended }
}

/** Reads the race of the active sessions of a car, unless it ended too long ago; null without one. */
async function raceOfPhones(
  db: Kysely<Tables>,
  { teamId, carId }: { teamId: TeamId; carId: CarId | null },
  nowMs: EpochMs,
): Promise<RaceId | null> {
  if (carId === null) return null
  const session = await db
    .selectFrom('sessions')
    .innerJoin('races', 'races.id', 'sessions.race_id')
    .select('races.id')
    .where('sessions.team_id', '=', teamId)
    .where('car_id', '=', carId)
    .where('status', '=', 'Active')
    .where(({ or, eb }) =>
      or([eb('ended_at', 'is', null), eb('ended_at', '>', new Date(nowMs - joinsAroundStartMs))]),
    )
    .orderBy('date_started', 'desc')
    .orderBy('sessions.id')
    .limit(1)
    .executeTakeFirst()
  return session?.id ?? null
}

type Context = Pick<AppContext, 'db' | 'live' | 'recorder' | 'laps' | 'clock' | 'log'>

/** Sets the car of a session, or none. An active session drives the race of its car, with the settings of the car. */
export async function setCar(
  context: Context,
  userId: UserId,
  { sessionId, carId }: { sessionId: SessionId; carId: CarId | null },
) {
  await changeCar(context, userId, sessionId, async (trx, session) => {
    const { team_id: teamId, date_ended } = session
    await requireCar(trx, teamId, carId)
    const { raceId, ended } = date_ended
      ? { raceId: session.race_id, ended: [] }
      : await raceToJoin(trx, context, { teamId, carId, joining: sessionId })
    await trx
      .updateTable('sessions')
      .set({ car_id: carId, race_id: raceId })
      .where('id', '=', sessionId)
      .execute()
    return ended
  })
}

/**
 * Runs a change of the car of a session in its race, which gives the session its settings. What was entered about the car
 * that it leaves, and sent to it, stays there if the car has other phones. Otherwise it goes along: the car was wrong from
 * the start.
 */
async function changeCar(
  context: Context,
  userId: UserId,
  sessionId: SessionId,
  change: (trx: Transaction<Tables>, session: DrivenSession) => Promise<readonly Ending[]>,
) {
  let publish: PublishInherited = async () => {}
  let ended: readonly Ending[] = []
  let orderOfCar: number | null = null
  await changeCarEntries(
    context,
    userId,
    sessionId,
    async (trx, { session, phones }) => {
      ended = await change(trx, session)
      const others = phones.filter(({ id }) => id !== sessionId)
      if (!isSameCar(session, await carOfSession(trx, sessionId))) {
        await leaveEntries(trx, sessionId, others)
        if (others.some(({ status }) => status === 'Active'))
          orderOfCar = (await shownOrder(trx, sessionId))?.message_version ?? null
      }
      publish = await inheritSettings(trx, userId, { joining: [sessionId], clock: context.clock })
    },
    async () => {
      await publishEndedAfterRace(context, ended)
      await publish(context)
    },
  )
  // Now another phone of the car has the order.
  if (orderOfCar !== null) await clearOrder(context, userId, { sessionId, version: orderOfCar })
}

/** Gives entries about a car that were made on the page of a session to its other sessions. Its own start stays with it. */
async function leaveEntries(
  trx: Transaction<Tables>,
  sessionId: SessionId,
  others: readonly PhoneRow[],
) {
  const [first] = others
  const last = others.at(-1)
  if (!first || !last) return
  await trx
    .updateTable('stints')
    .set({ session_id: last.id })
    .where('session_id', '=', sessionId)
    .where('id', '!=', sessionId)
    // Without a time it begins with the phone, without a driver it names the person who started the session.
    .where('from_at', 'is not', null)
    .where('driver_id', 'is not', null)
    .execute()
  await trx
    .updateTable('fills')
    .set({ session_id: last.id })
    .where('session_id', '=', sessionId)
    .where('id', '!=', sessionId)
    .execute()
  const start = await trx
    .deleteFrom('fills')
    .where('session_id', '=', sessionId)
    .where('id', '=', sessionId)
    .returning(['litres', 'removed_at', 'entered_by'])
    .executeTakeFirst()
  if (!start || start.removed_at) return
  const values = { ...start, at: first.date_started }
  await trx
    .insertInto('fills')
    .values({ session_id: first.id, id: first.id, kind: 'start', ...values })
    .onConflict(conflict => conflict.columns(['session_id', 'id']).doUpdateSet(values))
    .execute()
}

/** Reads the order on the screen of an active session; undefined without one, or without a data link. */
function shownOrder(db: Kysely<Tables>, sessionId: SessionId) {
  return db
    .selectFrom('sessions')
    .select('message_version')
    .where('id', '=', sessionId)
    .where('status', '=', 'Active')
    .where('data_link', '=', true)
    .where('message_type', 'is not', null)
    .executeTakeFirst()
}

/** Clears the screen of a session, unless it shows a newer order since. */
async function clearOrder(
  { db, live, clock }: Context,
  userId: UserId,
  { sessionId, version }: { sessionId: SessionId; version: number },
) {
  if ((await shownOrder(db, sessionId))?.message_version !== version) return
  const clear = { sessionId, onlyPhone: true, type: null, commandId: randomUUID() }
  for (const { message } of await storeNext(db, userId, clear, clock))
    if (message) publishMessage(live, sessionId, message)
}
