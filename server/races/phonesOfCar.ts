import type { Kysely } from 'kysely'
import type { CarId, RaceId, SessionId } from '#contract/ids.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Identifies the car of a session: its race and its car, or the session alone if it lacks one of them. */
export interface CarOfSession {
  id: SessionId
  race_id: RaceId | null
  car_id: CarId | null
}

/** A car in a race. */
export interface CarInRace {
  raceId: RaceId
  carId: CarId
}

/** Returns the car in its race that a session drives; null if it lacks one of them. */
export function carInRace({ race_id, car_id }: Omit<CarOfSession, 'id'>): CarInRace | null {
  return race_id !== null && car_id !== null ? { raceId: race_id, carId: car_id } : null
}

export type PhoneRow = Awaited<ReturnType<typeof phonesOfCar>>[number]

/** Reads the sessions of the car of a session, in order of their start. Beyond the bound only the newest count. */
export async function phonesOfCar(db: Kysely<Tables>, session: CarOfSession) {
  const car = carInRace(session)
  const rows = await phoneRows(db)
    .$if(car === null, query => query.where('sessions.id', '=', session.id))
    .$if(car !== null, query =>
      query.where('race_id', '=', session.race_id).where('car_id', '=', session.car_id),
    )
    .orderBy('date_started', 'desc')
    .orderBy('sessions.id', 'desc')
    .limit(storedBounds.sessionsOfRace.max)
    .execute()
  return rows.reverse()
}

/** Selects sessions with the people who started them, and the numbers of their cars. */
export function phoneRows(db: Kysely<Tables>) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'team_id', 'user_id', 'name', 'status', 'race_id', 'car_id'])
    .select(['date_started', 'date_ended', 'driver_id', 'first_name', 'last_name'])
    .select('practice')
    .select(({ selectFrom }) =>
      selectFrom('cars')
        .select('number')
        .whereRef('cars.id', '=', 'sessions.car_id')
        .as('car_number'),
    )
}

/** Returns the ids of the sessions of the car of a session, in order of their start: see `phonesOfCar`. */
export async function sessionsOfCar(
  db: Kysely<Tables>,
  sessionId: SessionId,
): Promise<SessionId[]> {
  const session = await carOfSession(db, sessionId)
  return session ? (await phonesOfCar(db, session)).map(({ id }) => id) : []
}

/** Reads which car a session drives; undefined if the session is not stored. */
export function carOfSession(
  db: Kysely<Tables>,
  sessionId: SessionId,
): Promise<CarOfSession | undefined> {
  return db
    .selectFrom('sessions')
    .select(['id', 'race_id', 'car_id'])
    .where('id', '=', sessionId)
    .executeTakeFirst()
}
