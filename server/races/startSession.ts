import type { Transaction } from 'kysely'
import type { z } from 'zod'
import type { RaceId, SessionId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Session, sessions } from '#contract/sessions.ts'
import type { AppContext, Caller } from '../context.ts'
import { isUniqueViolation } from '../db/errors.ts'
import type { Tables } from '../db/schema/tables.ts'
import { lockTeam } from '../rights/lockTeam.ts'
import { requireStillEditor } from '../rights/requireMember.ts'
import { requireActiveDriver, requireCar } from '../roster/rosterChecks.ts'
import { beginBreak } from '../sessions/dataLink.ts'
import { inheritSettings, type PublishInherited } from '../sessions/inheritSettings.ts'
import { requireRoomForSession } from '../sessions/requireRoom.ts'
import { sessionForReader } from '../sessions/sessions.ts'
import { inheritedSettings } from '../sessions/sharedSettings.ts'
import { type Ending, publishEndedAfterRace } from './endSession.ts'
import { raceToJoin } from './joinRace.ts'
import { publishCar } from './runs.ts'
import { keepDrivers } from './storedStints.ts'

type StartInput = z.output<typeof sessions.start.input>

/**
 * Starts a session of the caller, who becomes its driver. It inherits the settings of its car in the race.
 * Starting it with the data link off turns the link of that car off. Refuses with `not-a-member`, `view-only` (viewers)
 * and `already-driving`.
 */
export async function startSession(
  context: AppContext,
  { userId, loginId }: Caller,
  input: StartInput,
): Promise<Session> {
  const { teamId, carId, driverId, keepsDriver } = input
  const { db, clock, live, recorder, events } = context
  let publish: PublishInherited = async () => {}
  let ended: readonly Ending[] = []
  const id = await db
    .transaction()
    .execute(async trx => {
      await lockTeam(trx, teamId)
      await requireStillEditor(trx, teamId, userId)
      await requireCar(trx, teamId, carId)
      await requireActiveDriver(trx, teamId, driverId)
      await requireRoomForSession(trx, teamId)
      const started = new Date(clock.now())
      const race = await raceToJoin(trx, context, { teamId, carId })
      ended = race.ended
      const id = await insertSession(trx, userId, { ...input, raceId: race.raceId }, started)
      publish = await inheritSettings(trx, userId, { joining: [id], clock })
      if (driverId !== null || keepsDriver) {
        const removedAt = driverId === null ? started : null
        const stint = { session_id: id, id, driver_id: driverId, removed_at: removedAt }
        await trx.insertInto('stints').values(stint).execute()
        await keepDrivers(trx, { spare: [id], ended })
      }
      return id
    })
    .catch((error: unknown) => {
      if (isUniqueViolation(error)) throw new Refusal('already-driving')
      throw error
    })
  await publishEndedAfterRace(context, ended)
  const session = await sessionForReader(db, recorder, id, userId)
  live.publish(`team:${teamId}`, { t: 'session-started', session })
  const { startedAt } = session
  events.record({
    sessionId: id,
    kind: 'session-started',
    occurrence: startedAt,
    at: startedAt,
    byLogin: loginId,
  })
  await publish(context)
  await publishCar(context, id)
  return session
}

/** Stores an active session in a race, with the settings of its car there. Returns its id. */
async function insertSession(
  trx: Transaction<Tables>,
  userId: UserId,
  input: StartInput & { raceId: RaceId | null },
  started: Date,
): Promise<SessionId> {
  const { teamId, name, lapTiming, dataLink, carId, driverId, raceId } = input
  const settings = await inheritedSettings(trx, { raceId, carId })
  // A data link that somebody switched off stays off in the next session of the car in this race.
  const isLinked = dataLink && settings?.data_link !== false
  const { id } = await trx
    .insertInto('sessions')
    .values({
      team_id: teamId,
      user_id: userId,
      name,
      status: 'Active',
      date_started: started,
      lap_timing: lapTiming,
      ...settings,
      data_link: isLinked,
      car_id: carId,
      race_id: raceId,
      driver_id: driverId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const offBy = dataLink ? null : userId
  if (!isLinked) await beginBreak(trx, { session_id: id, off_at: started, off_by: offBy })
  return id
}
