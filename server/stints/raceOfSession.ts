import type { Kysely, Selectable } from 'kysely'
import type { CarId, RaceId, SessionId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { RaceOfSession, Stint } from '#contract/stints.ts'
import type { StintsTable, Tables } from '../db/schema/tables.ts'
import { storedVisits } from '../laps/visits/storedVisits.ts'
import { planOf, savedRace } from '../races/races.ts'
import { fillsOf } from './fills.ts'
import { carFromRow, driversOf } from './roster/roster.ts'

/** Returns the race of a session, for a member of its team. Refuses everybody else with `not-a-member`. */
export async function raceForMember(
  db: Kysely<Tables>,
  sessionId: SessionId,
  userId: UserId,
): Promise<RaceOfSession> {
  const session = await db
    .selectFrom('sessions')
    .innerJoin('team_access', 'team_access.team_id', 'sessions.team_id')
    .select(['sessions.id', 'sessions.team_id', 'car_id', 'race_id', 'auto_pit_by'])
    .select(['date_started', 'date_ended'])
    .where('sessions.id', '=', sessionId)
    .where('team_access.user_id', '=', userId)
    .executeTakeFirst()
  if (!session) throw new Refusal('not-a-member')
  const stints = await stintsOf(db, session)
  const named = new Set(stints.map(({ driverId }) => driverId))
  const drivers = await driversOf(db, session.team_id)
  return {
    car: await carOf(db, session.car_id),
    drivers: drivers.filter(({ id, archived }) => !archived || named.has(id)),
    stints,
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

/** The columns of a session that its stints follow from. */
interface SessionTimes {
  id: SessionId
  date_started: Date
  date_ended: Date | null
}

/** Reads the stints of a session, in order of time. */
export async function stintsOf(db: Kysely<Tables>, session: SessionTimes): Promise<Stint[]> {
  const rows = await db
    .selectFrom('stints')
    .selectAll()
    .where('session_id', '=', session.id)
    .where('removed_at', 'is', null)
    .orderBy('from_at')
    .orderBy('id')
    .execute()
  return stintsFromRows(rows, session)
}

/** Adds the first stint if it has no row, and the ends. */
export function stintsFromRows(
  rows: readonly Pick<Selectable<StintsTable>, 'id' | 'driver_id' | 'from_at'>[],
  { id, date_started, date_ended }: SessionTimes,
): Stint[] {
  const first = rows.find(row => row.id === id)
  const all = [
    { id, driver_id: first?.driver_id ?? null, from_at: date_started },
    ...rows.filter(row => row.id !== id),
  ]
  return all.map((row, index) => ({
    id: row.id,
    number: index + 1,
    driverId: row.driver_id,
    from: row.from_at.getTime(),
    to: (all[index + 1]?.from_at ?? date_ended)?.getTime() ?? null,
  }))
}
