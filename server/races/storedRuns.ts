import type { Kysely } from 'kysely'
import type { Run } from '#contract/carRaces.ts'
import type { CarId, RaceId, SessionId } from '#contract/ids.ts'
import { maxRowsOfStatement } from '#contract/shared/storedBounds.ts'
import { personName } from '../auth/people.ts'
import type { Tables } from '../db/schema/tables.ts'
import { type CarInRace, type CarOfSession, carInRace, type PhoneRow } from './phonesOfCar.ts'

/** Which phones are, and were, in a car. */
export interface CarRuns {
  /** In order of time. */
  runs: Run[]
  /** Phones that may be in the car instead of the one of the open run. */
  unsure: SessionId[]
}

/** Reads the runs of the car of a session. A session without a race or without a car has one run, which is not stored. */
export async function storedRuns(
  db: Kysely<Tables>,
  session: CarOfSession,
  phones: readonly PhoneRow[],
): Promise<CarRuns> {
  const { race_id: raceId, car_id: carId } = session
  const cars = raceId === null || carId === null ? noCars : await runsOfRace(db, raceId, carId)
  return runsOfPhones(cars, phones)
}

/** The runs of the cars of a race, by car. */
type RaceRuns = ReadonlyMap<CarId, CarRuns>

const noCars: RaceRuns = new Map()

/** Returns the runs of the phones of one car. */
export function runsOfPhones(cars: RaceRuns, phones: readonly PhoneRow[]): CarRuns {
  const [first] = phones
  if (first && !carInRace(first)) return { runs: [onlyRun(first)], unsure: [] }
  return cars.get(first?.car_id ?? '') ?? { runs: [], unsure: [] }
}

/** Reads the runs of the cars of a race, or of one of them. */
export async function runsOfRace(
  db: Kysely<Tables>,
  raceId: RaceId,
  carId?: CarId,
): Promise<RaceRuns> {
  const rows = await db
    .selectFrom('car_runs as run')
    .leftJoin('run_corrections as correction', join =>
      join
        .onRef('correction.race_id', '=', 'run.race_id')
        .onRef('correction.car_id', '=', 'run.car_id')
        .onRef('correction.id', '=', 'run.correction_id'),
    )
    .leftJoin('users', 'users.id', 'correction.decided_by')
    .select(['run.car_id', 'run.session_id', 'from_at', 'until_at', 'run.decided_by'])
    .select(['correction_id', 'unsure', 'first_name', 'last_name'])
    .where('run.race_id', '=', raceId)
    .$if(carId !== undefined, query => query.where('run.car_id', '=', carId ?? ''))
    .orderBy('from_at', 'desc')
    .limit(maxRowsOfStatement)
    .execute()
  const cars = new Map<CarId, CarRuns>()
  for (const row of rows.reverse()) {
    const car = cars.get(row.car_id) ?? { runs: [], unsure: [] }
    const by = personName(row)
    car.runs.push({
      sessionId: row.session_id,
      from: row.from_at.getTime(),
      until: row.until_at?.getTime() ?? null,
      decidedBy: row.decided_by,
      ...(row.correction_id !== null && { correctionId: row.correction_id }),
      ...(by && { by }),
    })
    cars.set(row.car_id, { ...car, unsure: row.unsure })
  }
  return cars
}

/** Counts how often people have corrected the runs of a car, or taken a correction back. */
export async function correctionsOf(
  db: Kysely<Tables>,
  { raceId, carId }: CarInRace,
): Promise<number> {
  const { stored, removed } = await db
    .selectFrom('run_corrections')
    .select(({ fn }) => [
      fn.countAll<string | number>().as('stored'),
      fn.count<string | number>('removed_at').as('removed'),
    ])
    .where('race_id', '=', raceId)
    .where('car_id', '=', carId)
    .executeTakeFirstOrThrow()
  return Number(stored) + Number(removed)
}

/** Returns the run of a session without a race or without a car. */
function onlyRun({ id, date_started, date_ended }: PhoneRow): Run {
  const until = date_ended?.getTime() ?? null
  return { sessionId: id, from: date_started.getTime(), until, decidedBy: 'start' }
}
