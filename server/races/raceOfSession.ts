import type { Kysely } from 'kysely'
import type { CarId, EpochMs, RaceId, SessionId, TeamId, UserId } from '#contract/ids.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import type { Tables } from '../db/schema/tables.ts'
import { storedVisits } from '../laps/storedVisits.ts'
import { requireSessionReader } from '../rights/requireSession.ts'
import { carFromRow, driversOf } from '../roster/roster.ts'
import type { RaceSession } from './countedSessions.ts'
import { fillsOf } from './fills.ts'
import { driverOfPerson, otherSessionsOf } from './otherStints.ts'
import { planOf, savedRace } from './races.ts'
import { stintsOf } from './storedStints.ts'

/** Returns the race of a session, for a member or a television of its team. Refuses others with `not-a-member`. */
export async function raceForReader(
  db: Kysely<Tables>,
  { sessionId, userId }: { sessionId: SessionId; userId: UserId },
  nowMs: EpochMs,
): Promise<RaceOfSession> {
  await requireSessionReader(db, sessionId, userId)
  const session = await raceSessions(db)
    .where('sessions.id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return raceOfSession(db, session, nowMs)
}

/** Selects sessions with all that `raceOfSession` needs of them. */
export function raceSessions(db: Kysely<Tables>) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('newest_fixes', 'newest_fixes.session_id', 'sessions.id')
    .select(['sessions.id', 'sessions.team_id', 'sessions.user_id', 'car_id', 'race_id'])
    .select(['first_name', 'last_name'])
    .select('auto_pit_by')
    .select(['date_started', 'date_ended', 'data_link', 'last_driver_contact'])
}

/** Returns the race of a session, to code that has checked its rights. */
export async function raceOfSession(
  db: Kysely<Tables>,
  session: RaceSession & { team_id: TeamId; auto_pit_by: UserId | null },
  nowMs: EpochMs,
): Promise<RaceOfSession> {
  const [first, ...later] = await stintsOf(db, session)
  const drivers = await driversOf(db, session.team_id)
  const car = await carOf(db, session.car_id)
  const { race, plan } = await raceAndPlan(db, session)
  const { otherStints, takenOverAt, continues, ...earlier } = await otherSessionsOf(db, session, {
    drivers,
    tankL: car?.tankL ?? null,
    race,
    nowMs,
  })
  const { earlierUses, earlierFuel, earlierLaps, uncertainLaps, earlierEnd } = earlier
  const stints = first
    ? [{ ...first, ...(continues && { continues: true as const }) }, ...later]
    : []
  const named = new Set([...stints, ...otherStints].map(({ driverId }) => driverId))
  return {
    car,
    drivers: drivers.filter(({ id, archived }) => !archived || named.has(id)),
    stints,
    starterId: driverOfPerson(drivers, { ...session, id: session.user_id }),
    otherStints,
    ...(takenOverAt !== undefined && { takenOverAt }),
    earlierUses,
    ...(earlierFuel && { earlierFuel: { ...earlierFuel, steps: [...earlierFuel.steps] } }),
    earlierLaps,
    ...(uncertainLaps > 0 && { uncertainLaps }),
    ...(earlierEnd && { earlierEnd }),
    race,
    plan,
    pitVisits: await storedVisits(db, session.id),
    fills: await fillsOf(db, session.id),
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
