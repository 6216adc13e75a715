import type { Kysely, Selectable } from 'kysely'
import type { CarId, RaceId, TeamId } from '#contract/ids.ts'
import type { CarPlan, Race, RaceLength } from '#contract/races.ts'
import type { RacesTable } from '../db/schema/races.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Races in one response of `races.list`. */
const maxListedRaces = 50

/** Lists the newest races of a team: the one that has not ended, then the ended ones. */
export async function listRaces(db: Kysely<Tables>, teamId: TeamId): Promise<Race[]> {
  const rows = await db
    .selectFrom('races')
    .selectAll()
    .where('team_id', '=', teamId)
    .orderBy(eb => eb('ended_at', 'is', null), 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(maxListedRaces)
    .execute()
  const cars = await carsOf(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(row => raceFromRow(row, cars))
}

/** Reads a race. Throws if it is not stored. */
export async function savedRace(db: Kysely<Tables>, raceId: RaceId): Promise<Race> {
  const row = await db
    .selectFrom('races')
    .selectAll()
    .where('id', '=', raceId)
    .executeTakeFirstOrThrow()
  return raceFromRow(row, await carsOf(db, [raceId]))
}

const noPlan: CarPlan = { driverIds: [], stopMs: null, lapMs: null, stints: [] }

/** Reads what the team planned by hand for a car in a race; an empty plan if it planned nothing. */
export async function planOf(
  db: Kysely<Tables>,
  { raceId, carId }: { raceId: RaceId; carId: CarId | null },
): Promise<CarPlan> {
  const row = await db
    .selectFrom('race_plans')
    .select('plan')
    .where('race_id', '=', raceId)
    .where('car_id', carId === null ? 'is' : '=', carId)
    .executeTakeFirst()
  return row?.plan ?? noPlan
}

async function carsOf(
  db: Kysely<Tables>,
  raceIds: readonly RaceId[],
): Promise<{ race_id: RaceId; car_id: CarId }[]> {
  if (raceIds.length === 0) return []
  return db
    .selectFrom('race_cars')
    .innerJoin('cars', 'cars.id', 'race_cars.car_id')
    .select(['race_id', 'car_id'])
    .where('race_id', 'in', raceIds)
    .orderBy('position')
    .orderBy('car_id')
    .execute()
}

function raceFromRow(
  row: Selectable<RacesTable>,
  cars: readonly { race_id: RaceId; car_id: CarId }[],
): Race {
  return {
    id: row.id,
    name: row.name,
    length: lengthFromRow(row),
    rules: row.rules,
    carIds: cars.filter(({ race_id }) => race_id === row.id).map(({ car_id }) => car_id),
    startedAt: row.started_at?.getTime() ?? null,
    pauses: row.pauses,
    endedAt: row.ended_at?.getTime() ?? null,
  }
}

function lengthFromRow({
  length_ms,
  length_laps,
}: Pick<Selectable<RacesTable>, 'length_ms' | 'length_laps'>): RaceLength {
  // The table allows exactly one of them.
  if (length_ms !== null) return { in: 'time', ms: length_ms }
  return { in: 'laps', laps: length_laps ?? 1 }
}
