import type { StoredCarRace } from '#contract/carRaces.ts'
import type { Lap, LapTable } from '#contract/laps.ts'
import type { Race } from '#contract/races.ts'
import type { Car, RosterDriver } from '#contract/roster.ts'
import { noRules } from '#contract/shared/raceRules.ts'

/** Returns the id with this number. */
export function exampleId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

/** Car 17, whose tank has 92 L, unless `values` differ. */
export function exampleCar(values: Partial<Car> = {}): Car {
  return {
    id: exampleId(17),
    number: '17',
    name: null,
    carClass: null,
    tankL: 92,
    reserveL: 4,
    burnL: 1.9,
    archived: false,
    ...values,
  }
}

/** Drivers of the roster with these names, whose ids are the numbers from `firstId` on. */
export function exampleDrivers(names: readonly string[], firstId = 1): RosterDriver[] {
  return names.map((name, index) => ({
    id: exampleId(firstId + index),
    name,
    userId: null,
    archived: false,
  }))
}

type ExampleStint = readonly [
  driverId: string | null | undefined,
  fromMin: number,
  toMin: number | null,
  sessionId?: string,
]

/** Stints in order of time, which begin and end this many minutes after a time. */
export function exampleStints(
  sinceMs: number,
  ...stints: readonly ExampleStint[]
): StoredCarRace['stints'] {
  const at = (minutes: number) => sinceMs + minutes * 60_000
  return stints.map(([driverId = null, fromMin, toMin, sessionId = ''], index) => ({
    id: exampleId(101 + index),
    number: index + 1,
    sessionId,
    driverId,
    from: at(fromMin),
    to: toMin === null ? null : at(toMin),
  }))
}

/** A race of six hours of all cars, without rules, which has not started, unless `values` differ. */
export function exampleRace(values: Partial<Race> = {}): Race {
  return {
    id: exampleId(200),
    name: 'Zolder 6 hours',
    length: { in: 'time', ms: 6 * 3_600_000 },
    rules: noRules,
    carIds: [],
    startsAt: null,
    circuitId: null,
    startedAt: null,
    pauses: [],
    endedAt: null,
    ...values,
  }
}

/** The laps of a session at Zolder, unless `values` differ. */
export function exampleLaps(laps: Lap[], values: Partial<LapTable> = {}): LapTable {
  const circuit = { name: 'Circuit Zolder', lengthM: 4010 }
  return { lapTiming: true, circuit, gpsPoor: false, laps, pending: false, ...values }
}

/** A lap that was seen at both crossings and without a yellow, unless `values` differ. Lap 0 leads out of the pits. */
export function exampleLap(
  number: number,
  values: Partial<Lap> & Pick<Lap, 'startedAt' | 'timeMs'>,
): Lap {
  return {
    number,
    plusMinusMs: 180,
    kind: number === 0 ? 'out' : 'full',
    isSeen: true,
    yellow: false,
    yellowMessage: null,
    marked: false,
    ...values,
  }
}
