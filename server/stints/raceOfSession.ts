import type { Kysely } from 'kysely'
import type { CarId, EpochMs, RaceId, SessionId, UserId } from '#contract/ids.ts'
import type { RaceOfSession } from '#contract/races/stints.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Tables } from '../db/schema/tables.ts'
import { storedVisits } from '../laps/visits/storedVisits.ts'
import { planOf, savedRace } from '../races/races.ts'
import { fillsOf } from './fills.ts'
import { driverOfPerson, otherSessionsOf } from './otherStints.ts'
import { carFromRow, driversOf } from './roster/roster.ts'
import { stintsOf } from './storedStints.ts'

/** Returns the race of a session, for a member of its team. Refuses everybody else with `not-a-member`. */
export async function raceForMember(
  db: Kysely<Tables>,
  { sessionId, userId }: { sessionId: SessionId; userId: UserId },
  nowMs: EpochMs,
): Promise<RaceOfSession> {
  const session = await db
    .selectFrom('sessions')
    .innerJoin('team_readers', 'team_readers.team_id', 'sessions.team_id')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.team_id', 'sessions.user_id', 'car_id', 'race_id'])
    .select(['first_name', 'last_name'])
    .select('auto_pit_by')
    .select(['date_started', 'date_ended'])
    .where('sessions.id', '=', sessionId)
    .where('team_readers.user_id', '=', userId)
    .executeTakeFirst()
  if (!session) throw new Refusal('not-a-member')
  const stints = await stintsOf(db, session)
  const drivers = await driversOf(db, session.team_id)
  const car = await carOf(db, session.car_id)
  const { otherStints, earlierUses } = await otherSessionsOf(db, session, {
    drivers,
    tankL: car?.tankL ?? null,
    nowMs,
  })
  const named = new Set([...stints, ...otherStints].map(({ driverId }) => driverId))
  return {
    car,
    drivers: drivers.filter(({ id, archived }) => !archived || named.has(id)),
    stints,
    starterId: driverOfPerson(drivers, { ...session, id: session.user_id }),
    otherStints,
    earlierUses,
    ...(await raceAndPlan(db, session)),
    pitVisits: await storedVisits(db, sessionId),
    fills: await fillsOf(db, sessionId),
    autoPit: session.auto_pit_by !== null,
  }
}

async function raceAndPlan(
  db: Kysely<Tables>,
  { race_id: raceId, car_id: carId }: { race_id: RaceId | null; car_id: CarId | null },
): Promise<Pick<RaceOfSession, 'race' | 'plan'>> {
  if (raceId === null) return { race: null, plan: null }
  return { race: await savedRace(db, raceId), plan: await planOf(db, { raceId, carId }) }
}

async function carOf(db: Kysely<Tables>, carId: string | null): Promise<RaceOfSession['car']> {
  if (carId === null) return null
  const row = await db.selectFrom('cars').selectAll().where('id', '=', carId).executeTakeFirst()
  return row ? carFromRow(row) : null
}
