import type { Kysely, Selectable, SelectQueryBuilder } from 'kysely'
import type { CarId, RaceId, TeamId } from '#contract/ids.ts'
import type { CarPlan, Race } from '#contract/races.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Races in one response of `races.list`. */
const maxListedRaces = 50

/** Lists races of a team: the one that runs, the prepared ones by their start, then the newest ended ones. */
export async function listRaces(db: Kysely<Tables>, teamId: TeamId): Promise<Race[]> {
  const rows = await db
    .selectFrom('races')
    .selectAll()
    .where('team_id', '=', teamId)
    .orderBy(eb => eb('ended_at', 'is', null), 'desc')
    .$call(inOrderOfStart)
    .limit(maxListedRaces)
    .execute()
  return withCars(db, rows)
}

/** Orders races of a team that have not ended: the running race, then by planned start, unknown starts last. */
export function inOrderOfStart<Row>(races: SelectQueryBuilder<Tables, 'races', Row>) {
  return races
    .orderBy(
      ({ eb, and }) => and([eb('ended_at', 'is', null), eb('started_at', 'is not', null)]),
      'desc',
    )
    .orderBy(
      ({ eb }) => eb.case().when('ended_at', 'is', null).then(eb.ref('starts_at')).end(),
      order => order.asc().nullsLast(),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
}

/** Reads the races of a team that have not ended, in the order in which they start. */
export async function openRaces(db: Kysely<Tables>, teamId: TeamId): Promise<Race[]> {
  const rows = await db
    .selectFrom('races')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('ended_at', 'is', null)
    .$call(inOrderOfStart)
    .execute()
  return withCars(db, rows)
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

async function withCars(db: Kysely<Tables>, rows: readonly Selectable<Tables['races']>[]) {
  const ids = rows.map(({ id }) => id)
  const cars = await carsOf(db, ids)
  return rows.map(row => raceFromRow(row, cars))
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
  row: Selectable<Tables['races']>,
  cars: readonly { race_id: RaceId; car_id: CarId }[],
): Race {
  return {
    id: row.id,
    name: row.name,
    length: lengthFromRow(row),
    startsAt: row.starts_at?.getTime() ?? null,
    circuitId: row.circuit_id,
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
}: Pick<Selectable<Tables['races']>, 'length_ms' | 'length_laps'>): Race['length'] {
  // The table allows at most one of them.
  if (length_ms !== null) return { in: 'time', ms: length_ms }
  return length_laps === null ? null : { in: 'laps', laps: length_laps }
}
