import type { SimulatedDatabase } from '../database.ts'
import type { RaceTeam } from './raceTeam.ts'
import type { ShownClocks } from './shownClocks.ts'

/** The race as stored in the database. Times are in milliseconds since the epoch. */
export interface StoredRace {
  readonly startedAt: number | null
  readonly pauses: readonly { readonly from: number; readonly to: number | null }[]
  readonly cars: ReadonlyMap<string, StoredCar>
}

export interface StoredCar {
  /** In order of time. */
  readonly stints: readonly { readonly driverId: string; readonly from: number }[]
  readonly visits: readonly StoredVisit[]
}

interface StoredVisit {
  readonly from: number
  readonly stoppedAt: number | null
  readonly to: number | null
  readonly leftAt: number | null
}

/** Reads the stored times from which all clocks are derived. */
export async function storedRace(
  database: SimulatedDatabase,
  { raceId, cars }: RaceTeam,
): Promise<StoredRace> {
  const [race] = await database.run<{ started_at: Date | null; pauses: StoredRace['pauses'] }>(
    'select started_at, pauses from races where id = $1',
    [raceId],
  )
  const stints = await database.run<{ session_id: string; driver_id: string; from_at: Date }>(
    `select session_id, driver_id, coalesce(from_at, (
        select min(r.from_at) from car_runs r where r.session_id = s.session_id
      )) as from_at
      from stints s where removed_at is null order by from_at`,
  )
  const visits = await database.run<{
    session_id: string
    started_at: Date
    ended_at: Date | null
    stopped_at: Date | null
    left_at: Date | null
  }>(
    'select session_id, started_at, ended_at, stopped_at, left_at from pit_visits order by started_at',
  )
  const stored = cars.map(({ sessionId }): [string, StoredCar] => [
    sessionId,
    {
      stints: stints
        .filter(each => each.session_id === sessionId)
        .map(({ driver_id, from_at }) => ({ driverId: driver_id, from: from_at.getTime() })),
      visits: visits
        .filter(each => each.session_id === sessionId)
        .map(({ started_at, ended_at, stopped_at, left_at }) => ({
          from: started_at.getTime(),
          stoppedAt: stopped_at?.getTime() ?? null,
          to: ended_at?.getTime() ?? null,
          leftAt: left_at?.getTime() ?? null,
        })),
    },
  ])
  return {
    startedAt: race?.started_at?.getTime() ?? null,
    pauses: race?.pauses ?? [],
    cars: new Map(stored),
  }
}

interface Limits {
  readonly raceMs: number
  readonly stintMs: number
  readonly driverMs: number
  readonly minimumMs: number
}

/**
 * Returns the times that the clocks of a car must show, in fractional seconds. Adds up the phases by the rules alone,
 * without the functions of the app.
 */
export function expectedClocks(
  stored: StoredRace,
  sessionId: string,
  { raceMs, stintMs, driverMs, minimumMs }: Limits,
  nowMs: number,
): ShownClocks | null {
  const car = stored.cars.get(sessionId)
  if (stored.startedAt === null || !car) return null
  const drives = [...stored.cars].flatMap(([id, each]) =>
    drivesOf(each, nowMs).map((drive, index, all) => ({
      ...drive,
      isCurrent: id === sessionId && index === all.length - 1,
    })),
  )
  const current = drives.find(({ isCurrent }) => isCurrent)
  if (!current) return null
  const stint = raceTime(stored, current.from, current.to)
  const driven = drives
    .filter(({ driverId }) => driverId === current.driverId)
    .reduce((sum, { from, to }) => sum + raceTime(stored, from, to), 0)
  const leftMs = Math.min(stintMs - stint, driverMs - driven)
  const visit = car.visits.at(-1)
  const isIn = visit !== undefined && visit.to === null
  const doneAt = isIn ? visit.from + minimumMs + 1000 - wayOutMs(car.visits, visit) : 0
  return {
    raceLeftS: Math.max(0, raceMs - raceTime(stored, stored.startedAt, nowMs)) / 1000,
    stintS: stint / 1000,
    leftS: leftMs / 1000,
    inPitsS: isIn ? (nowMs - visit.from) / 1000 : null,
    doneInS: isIn ? Math.max(0, doneAt - nowMs) / 1000 : null,
  }
}

/** Returns the way from the box to the exit: the shortest after the most similar ways to the box (3 s), less what is longer. */
function wayOutMs(visits: readonly StoredVisit[], current: StoredVisit): number {
  const wayIn = ({ stoppedAt, from }: StoredVisit) => (stoppedAt === null ? null : stoppedAt - from)
  const inMs = wayIn(current)
  const ways = visits.flatMap(visit => {
    const { leftAt, to } = visit
    if (leftAt === null || to === null || to <= leftAt) return []
    const laterMs = inMs === null ? 0 : inMs - (wayIn(visit) ?? inMs)
    return [{ apartMs: Math.abs(laterMs), outMs: to - leftAt - Math.max(0, laterMs) }]
  })
  const nearestMs = Math.min(...ways.map(({ apartMs }) => apartMs))
  const similar = ways.filter(({ apartMs }) => apartMs <= nearestMs + 3000)
  return similar.length > 0 ? Math.max(0, Math.min(...similar.map(({ outMs }) => outMs))) : 0
}

/** Returns the drivers of a car with their times. Around a change in the pits, pit-in to pit-out counts for neither. */
function drivesOf({ stints, visits }: StoredCar, nowMs: number) {
  const inPits = (atMs: number) =>
    visits.find(({ from, to }) => from <= atMs && atMs <= (to ?? nowMs))
  return stints.map(({ driverId, from }, index) => {
    const next = stints[index + 1]
    const began = index === 0 ? undefined : inPits(from)
    const ended = next && inPits(next.from)
    return {
      driverId,
      from: began ? (began.to ?? nowMs) : from,
      to: ended ? ended.from : (next?.from ?? nowMs),
    }
  })
}

/** Adds up the race time between two moments: after the start, and not while the clock is paused. */
function raceTime({ startedAt, pauses }: StoredRace, fromMs: number, toMs: number): number {
  const from = Math.max(fromMs, startedAt ?? Number.POSITIVE_INFINITY)
  if (toMs <= from) return 0
  let sum = toMs - from
  for (const pause of pauses) {
    const began = Math.max(from, pause.from)
    const ended = Math.min(toMs, pause.to ?? toMs)
    if (ended > began) sum -= ended - began
  }
  return sum
}
