import { zolder } from '#contract/shared/circuits/zolder.ts'
import { hourMs } from '#contract/shared/durations.ts'
import { trackOf } from '#contract/shared/track.ts'
import { flyingLap } from '#racing/practice/speedProfile.ts'
import { type Drive, durationMs, loopOf, sampleAt } from '#testing/drives.ts'
import { driveRace, type RaceLap } from '#testing/races.ts'

export const raceName = 'Zolder 6 hours'
export const raceMs = 6 * hourMs

/** One car of the demo, and those who drive it in turn. The first of them holds its phone. */
export interface DemoCar {
  readonly number: string
  readonly name: string
  readonly tankL: number
  readonly burnL: number
  readonly drivers: readonly [DemoDriver, ...DemoDriver[]]
  /** Laps until it comes into the pits: few, so that the first stop comes within six minutes. */
  readonly stintLaps: number
  /** Share of the fastest speed. */
  readonly pace: number
  /** True if the second driver has a phone as well, and they drive with their own ones. */
  readonly twoPhones?: boolean
  /** Times without a network, since the start of the drive. */
  readonly deadZone?: { readonly everyMs: number; readonly forMs: number }
}

export interface DemoDriver {
  readonly firstName: string
  readonly lastName: string
}

const named = (firstName: string, lastName: string): DemoDriver => ({ firstName, lastName })

export const demoCars = [
  {
    number: '7',
    name: 'Blue',
    tankL: 60,
    burnL: 5.2,
    drivers: [named('Leo', 'Sommer'), named('Noor', 'Haddad')],
    stintLaps: 5,
    pace: 0.97,
  },
  {
    number: '12',
    name: 'White',
    tankL: 48,
    burnL: 5.6,
    drivers: [named('Mia', 'Herbst'), named('Théo', 'Garnier'), named('Ida', 'Bergman')],
    stintLaps: 4,
    pace: 0.955,
  },
  {
    number: '21',
    name: 'Red',
    tankL: 70,
    burnL: 4.9,
    drivers: [named('Jonas', 'Meyer'), named('Sara', 'Novak')],
    stintLaps: 4,
    pace: 0.94,
    twoPhones: true,
    deadZone: { everyMs: 150_000, forMs: 40_000 },
  },
] as const satisfies readonly DemoCar[]

/** A drive that repeats, with one stop in the pits. */
export interface Laps {
  readonly drive: Drive
  /** Time in the box. */
  readonly stopAtMs: number
}

const lapM = trackOf(flyingLap(zolder.outline)).lengthM
const pits = { inM: lapM - 250, outM: lapM + 250, boxM: lapM - 40, besideM: 20, limitMps: 60 / 3.6 }

/** A stop of more than 20 s is seen as one. */
const pitStopS = 30

/** Drives the laps of one stint and the stop after it, as the receiver reports them. */
export function lapsOf({ stintLaps, pace }: DemoCar, seed: number): Laps {
  const laps = Array.from({ length: stintLaps + 1 }, (_, lap): RaceLap => {
    const own = pace + 0.012 * Math.sin(lap * 2.4 + seed)
    return lap === stintLaps - 1 ? { pace: own, pitStopS } : { pace: own }
  })
  const race = driveRace({
    outline: zolder.outline,
    laps,
    pits,
    hz: 10,
    whiteM: 0.3,
    driftM: 1.5,
    accuracyM: 4,
    seed,
    // The cars start one after the other, so that there are gaps, and reach the line within half a minute.
    startShare: 0.81 - 0.03 * seed,
  })
  const [first] = race.fixes
  const startMs = first?.atMs ?? 0
  return {
    drive: race.fixes.map(({ atMs, latitude, longitude, speedMps }) => ({
      atMs: atMs - startMs,
      latitude,
      longitude,
      speedMps: speedMps ?? 0,
    })),
    stopAtMs: (race.visits[0]?.stop?.fromMs ?? 0) - startMs,
  }
}

/** Returns a repeating drive that begins at another of its places. */
export function begunAt(drive: Drive, atMs: number): Drive {
  const loop = loopOf(drive)
  const lapMs = durationMs(loop)
  const later = loop.filter(sample => sample.atMs > atMs)
  const before = loop.filter(sample => sample.atMs < atMs)
  return [
    { ...sampleAt(loop, atMs), atMs: 0 },
    ...later.map(sample => ({ ...sample, atMs: sample.atMs - atMs })),
    ...before.map(sample => ({ ...sample, atMs: sample.atMs - atMs + lapMs })),
    { ...sampleAt(loop, atMs), atMs: lapMs },
  ]
}

/** Returns the drive of a phone that lies in the garage, at a place of the drive. */
export function standingAt(drive: Drive, atMs: number): Drive {
  const place = { ...sampleAt(drive, atMs), speedMps: 0 }
  return [
    { ...place, atMs: 0 },
    { ...place, atMs: 1000 },
  ]
}
