import { type Kysely, sql } from 'kysely'
import type { CarPhone, OtherCarStint, StoredCarRace } from '#contract/carRaces.ts'
import type { CarId, EpochMs, RaceId, SessionId, TeamId, UserId } from '#contract/ids.ts'
import type { Race } from '#contract/races.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Car } from '#contract/roster.ts'
import type { GlassPart } from '#contract/shared/glassParts.ts'
import type { LapKind } from '#contract/shared/lapKinds.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { carVisits } from '#racing/race/carVisits.ts'
import { countedStints } from '#racing/race/stintClock.ts'
import { isYellow } from '../circuits/comparedLaps.ts'
import { epochMs } from '../db/epochMs.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'
import { yellowTimesOf } from '../laps/yellow.ts'
import { requireSessionReader } from '../rights/requireSession.ts'
import { teamOfRace } from '../rights/teamOfRace.ts'
import { carFromRow, driversOf } from '../roster/roster.ts'
import { type CarEntries, type CarPhones, carEntries } from './carEntries.ts'
import { officialOf } from './officialFinish.ts'
import { carInRace, type PhoneRow, phoneRows, phonesOfCar } from './phonesOfCar.ts'
import { planOf, savedRace } from './races.ts'
import { correctionsOf, runsOfPhones, runsOfRace, storedRuns } from './storedRuns.ts'

/** Returns the race of a session's car. Refuses all but members and televisions of its team with `not-a-member`. */
export async function carRaceForReader(
  db: Kysely<Tables>,
  { sessionId, userId }: { sessionId: SessionId; userId: UserId },
  nowMs: EpochMs,
): Promise<StoredCarRace> {
  await requireSessionReader(db, sessionId, userId)
  const session = await drivenSessions(db)
    .where('sessions.id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return storedCarRace(db, session, nowMs)
}

/**
 * Returns the race of a car, for a member of the race's team. Without a car, of the newest session without one. Refuses
 * others with `not-a-member`, and a car of another team with `not-found`.
 */
export async function carRaceOfRace(
  db: Kysely<Tables>,
  { raceId, carId, userId }: { raceId: RaceId; carId: CarId | null; userId: UserId },
  nowMs: EpochMs,
): Promise<StoredCarRace> {
  const teamId = await teamOfRace(db, raceId, userId)
  const session = await drivenSessions(db)
    .where('race_id', '=', raceId)
    .where('car_id', carId === null ? 'is' : '=', carId)
    .orderBy('date_started', 'desc')
    .orderBy('sessions.id', 'desc')
    .executeTakeFirst()
  if (session) return storedCarRace(db, session, nowMs)
  const drivers = await driversOf(db, teamId)
  return {
    car: carId === null ? null : await carOfTeam(db, { teamId, carId }),
    race: await savedRace(db, raceId),
    plan: await planOf(db, { raceId, carId }),
    drivers: drivers.filter(({ archived }) => !archived),
    phones: [],
    runs: [],
    unsure: [],
    corrections: 0,
    stints: [],
    otherCars: [],
    fills: [],
    autoPit: false,
    ...(await officialOf(db, raceId)),
  }
}

async function carOfTeam(
  db: Kysely<Tables>,
  { teamId, carId }: { teamId: TeamId; carId: CarId },
): Promise<Car> {
  const row = await db
    .selectFrom('cars')
    .selectAll()
    .where('id', '=', carId)
    .where('team_id', '=', teamId)
    .executeTakeFirst()
  if (!row) throw new Refusal('not-found')
  return carFromRow(row)
}

/** Selects sessions with all that `storedCarRace` needs of them. */
export function drivenSessions(db: Kysely<Tables>) {
  return phoneRows(db).select(['auto_pit_by', 'glass'])
}

export type DrivenSession = PhoneRow & { auto_pit_by: UserId | null; glass: GlassPart[] }

/** Reads the race of the car of a session, for code that has checked its rights. */
export async function storedCarRace(
  db: Kysely<Tables>,
  session: DrivenSession,
  nowMs: EpochMs,
): Promise<StoredCarRace> {
  const { race_id: raceId, car_id: carId } = session
  const car = carInRace(session)
  const roster = await driversOf(db, session.team_id)
  const rows = await phonesOfCar(db, session)
  const { runs, unsure } = await storedRuns(db, session, rows)
  const others = await otherCarsOf(db, session)
  const [own, ...entries] = await carEntries(db, [{ phones: rows, runs }, ...others], roster)
  const ofOthers = entries.map((each, index) => ({ ...each, car: others[index]?.car ?? null }))
  const { phones = [], stints = [], fills = [], sameDriverAt = [] } = own ?? {}
  const laps = await lapsOfPhones(db, rows)
  const race = raceId === null ? null : await savedRace(db, raceId)
  const otherCars = stintsOfOthers(ofOthers, race, nowMs)
  const yellowTimes = raceId === null ? [] : await yellowTimesOf(db, session.id)
  const named = new Set<string | null>([...stints, ...otherCars].map(each => each.driverId))
  return {
    car: await carOf(db, carId),
    race,
    plan: raceId === null ? null : await planOf(db, { raceId, carId }),
    drivers: roster.filter(({ id, archived }) => !archived || named.has(id)),
    phones: phones.map(phone => ({ ...phone, laps: laps.get(phone.sessionId) ?? [] })),
    runs,
    unsure,
    corrections: car ? await correctionsOf(db, car) : 0,
    stints,
    otherCars,
    fills,
    autoPit: session.auto_pit_by !== null,
    ...(await officialOf(db, raceId)),
    ...(sameDriverAt.length > 0 && { sameDriverAt }),
    ...(yellowTimes.length > 0 && { yellowTimes }),
    ...(session.glass.length > 0 && { glass: session.glass }),
  }
}

async function carOf(db: Kysely<Tables>, carId: string | null): Promise<Car | null> {
  if (carId === null) return null
  const row = await db.selectFrom('cars').selectAll().where('id', '=', carId).executeTakeFirst()
  return row ? carFromRow(row) : null
}

/** Another car of a race. */
interface OtherCar extends CarPhones {
  /** Its number; null for a session without a car. */
  readonly car: string | null
}

/** Reads the phones and the runs of the other cars of a race. A session without a car is a car of its own. */
async function otherCarsOf(
  db: Kysely<Tables>,
  { id, race_id: raceId, car_id: carId }: PhoneRow,
): Promise<OtherCar[]> {
  if (raceId === null) return []
  const newest = await phoneRows(db)
    .where('race_id', '=', raceId)
    .where('sessions.id', '!=', id)
    .where(({ or, eb }) => or([eb('car_id', 'is', null), eb('car_id', 'is distinct from', carId)]))
    .orderBy('date_started', 'desc')
    .orderBy('sessions.id', 'desc')
    .limit(storedBounds.sessionsOfRace.max)
    .execute()
  const cars = new Map<CarId, PhoneRow[]>()
  for (const phone of newest.reverse()) {
    const key = phone.car_id ?? phone.id
    cars.set(key, [...(cars.get(key) ?? []), phone])
  }
  const runs = await runsOfRace(db, raceId)
  return [...cars.values()].map(phones => ({
    phones,
    runs: runsOfPhones(runs, phones).runs,
    car: phones[0]?.car_number ?? null,
  }))
}

/** Returns the stints of other cars as they count, in order of time. */
function stintsOfOthers(
  cars: readonly (CarEntries & Pick<OtherCar, 'car'>)[],
  race: Pick<Race, 'startedAt'> | null,
  nowMs: EpochMs,
): OtherCarStint[] {
  return cars
    .flatMap(({ phones, runs, stints, car }) => {
      return countedStints(stints, carVisits(phones, runs), nowMs, race?.startedAt).flatMap(
        ({ driverId, from, to }) =>
          driverId === null ? [] : [{ driverId, from, to, ...(car !== null && { car }) }],
      )
    })
    .toSorted((a, b) => a.from - b.from)
}

type PhoneLap = CarPhone['laps'][number]

/** Reads the laps of the phones of a car. Drops the oldest phones if there are more laps than one phone may have. */
async function lapsOfPhones(
  db: Kysely<Tables>,
  phones: readonly PhoneRow[],
): Promise<ReadonlyMap<SessionId, PhoneLap[]>> {
  const counts = await db
    .selectFrom('laps')
    .select(({ fn }) => ['session_id', fn.countAll<string | number>().as('laps')])
    .where(
      isOneOf(
        'session_id',
        phones.map(({ id }) => id),
      ),
    )
    .groupBy('session_id')
    .execute()
  const lapsOf = new Map(counts.map(({ session_id, laps }) => [session_id, Number(laps)]))
  let left: number = storedBounds.laps.max
  const tooMany = phones.findLastIndex(({ id }) => (left -= lapsOf.get(id) ?? 0) < 0)
  const ids = phones.slice(tooMany + 1).map(({ id }) => id)
  const { rows } = await sql<{ session_id: SessionId; laps: LapColumns[] }>`
    select session_id, json_agg(json_build_array(
      number, ${epochMs(sql`started_at`)}, time_ms, kind, is_seen, ${isYellow}, ends_at_line
    ) order by number) as laps
    from laps where ${isOneOf('session_id', ids)} group by session_id`.execute(db)
  return new Map(rows.map(({ session_id, laps }) => [session_id, laps.map(lapFrom)]))
}

/** A lap without names: several thousand of them are read together. */
type LapColumns = [number, EpochMs, number, LapKind, boolean, boolean, boolean]

function lapFrom([number, startedAt, timeMs, kind, isSeen, yellow, atLine]: LapColumns): PhoneLap {
  const lap = { number, startedAt, timeMs, kind, isSeen, yellow }
  return atLine ? { ...lap, endsAtLine: true } : lap
}
