import type { Position } from '#contract/shared/geo.ts'
import { type Track, trackOf } from '#contract/shared/track.ts'
import type { RacingFix } from '#racing/fix.ts'
import { flyingLap, type PaceNode } from '#racing/practice/speedProfile.ts'
import { receiverNoise, seeded } from './drives.ts'

/** A pit lane beside the outline, between two places in metres from the line; it may contain the line. */
export interface RacePits {
  readonly inM: number
  readonly outM: number
  /** Distance to the right of the racing line; negative to the left. */
  readonly besideM: number
  readonly limitMps: number
  /** Place where the car stops. */
  readonly boxM: number
}

/** One lap of a race. */
export interface RaceLap {
  /** Share of the fastest speed at each place. */
  readonly pace?: number
  /** Highest speed, as under a full-course yellow. */
  readonly limitMps?: number
  /** The lap leads into the pits, where the car stops for this long; 0 is a drive-through. */
  readonly pitStopS?: number
  /** Place where it stops there; `boxM` of the pits by default. */
  readonly boxM?: number
  /** A stop on the circuit. */
  readonly stop?: { readonly atM: number; readonly forS: number }
}

export interface Race {
  readonly outline: readonly Position[]
  readonly laps: readonly RaceLap[]
  readonly pits?: RacePits
  /** Fixes a second. */
  readonly hz?: number
  /** Standard deviation per axis of noise without memory. */
  readonly whiteM?: number
  /** Standard deviation per axis of an error that changes over a minute. */
  readonly driftM?: number
  readonly seed?: number
  readonly accuracyM?: number | null
  /** The drive begins after this share of its first lap. */
  readonly startShare?: number
}

/** A race as the receiver reports it, with the true crossings and visits. */
export interface DrivenRace {
  readonly fixes: RacingFix[]
  /** When the car crossed the line. */
  readonly crossingsMs: number[]
  readonly visits: TrueVisit[]
}

/** A visit to the pits. */
export interface TrueVisit {
  readonly startedAtMs: number
  readonly endedAtMs: number
  /** When the car stood in its box; null if it drove through. */
  readonly stop: { readonly fromMs: number; readonly untilMs: number } | null
}

/** The car's path: each list has one number per metre. Typed arrays, because a race has 100,000 metres. */
interface Path {
  readonly atMs: Float64Array
  readonly eastM: Float64Array
  readonly northM: Float64Array
  readonly speedMps: Float64Array
  /** Duration of a stop here. */
  readonly stopMs: Float64Array
}

const brakeMps2 = 8
const launchMps2 = 4
/** Length over which the pit road leaves the racing line, before the pit lane begins. */
const rampM = 80

/** Drives a race, and measures it. */
export function driveRace(race: Race): DrivenRace {
  const { laps, pits, startShare = 0 } = race
  const flying = flyingLap(race.outline)
  const track = trackOf(flying)
  const lapM = Math.floor(track.lengthM)
  const path = pathOf(race, metres(flying, track, lapM))
  const from = Math.round(startShare * lapM)
  const crossingsMs = laps.flatMap((_, lap) => (lap * lapM < from ? [] : path.atMs[lap * lapM]!))
  const visits = laps.flatMap(({ pitStopS, boxM = pits?.boxM ?? 0 }, lap) => {
    if (pitStopS === undefined || !pits) return []
    const at = (placeM: number) => Math.min(laps.length * lapM, Math.round(lap * lapM + placeM))
    const untilOf = (place: number) => path.atMs[place]! + path.stopMs[place]!
    const box = at(boxM)
    const stop = pitStopS > 0 ? { fromMs: path.atMs[box]!, untilMs: untilOf(box) } : null
    return { startedAtMs: path.atMs[at(pits.inM)]!, endedAtMs: untilOf(at(pits.outM)), stop }
  })
  return { fixes: measured(race, path, from, track.plane.toPosition), crossingsMs, visits }
}

/** Returns the car's path, metre by metre, with its speeds and times. */
function pathOf({ laps, pits }: Race, lap: ReturnType<typeof metres>): Path {
  const lapM = lap.length
  const count = laps.length * lapM
  const numbers = () => new Float64Array(count + 1)
  const path = {
    atMs: numbers(),
    eastM: numbers(),
    northM: numbers(),
    speedMps: numbers(),
    stopMs: numbers(),
  }
  const { atMs, eastM, northM, speedMps, stopMs } = path
  for (let index = 0; index <= count; index++) {
    const here = lap[index % lapM]!
    const { pace = 1, limitMps = 100 } = laps[Math.min(laps.length - 1, Math.floor(index / lapM))]!
    speedMps[index] = Math.min(limitMps, here.speedMps * pace)
    eastM[index] = here.eastM
    northM[index] = here.northM
  }
  for (const [number, { pitStopS, stop, boxM = pits?.boxM ?? 0 }] of laps.entries()) {
    const startM = number * lapM
    const halt = (atM: number, forS: number) => {
      const index = Math.min(count, startM + Math.round(atM))
      speedMps[index] = Math.min(0.5, speedMps[index]!)
      stopMs[index] = forS * 1000
    }
    if (stop) halt(stop.atM, stop.forS)
    if (pitStopS === undefined || !pits) continue
    for (let m = pits.inM - rampM; m <= pits.outM + rampM; m++) {
      const index = startM + Math.round(m)
      if (index < 0 || index > count) continue
      const share = Math.min(1, Math.max(0, Math.min(m - pits.inM, pits.outM - m) / rampM + 1))
      const { rightEast, rightNorth } = lap[index % lapM]!
      eastM[index]! += rightEast * pits.besideM * share
      northM[index]! += rightNorth * pits.besideM * share
      if (m >= pits.inM && m <= pits.outM)
        speedMps[index] = Math.min(pits.limitMps, speedMps[index]!)
    }
    if (pitStopS > 0) halt(boxM, pitStopS)
  }
  for (let index = count - 1; index >= 0; index--) {
    const next = speedMps[index + 1]!
    speedMps[index] = Math.min(speedMps[index]!, Math.sqrt(next ** 2 + 2 * brakeMps2))
  }
  for (let index = 1; index <= count; index++) {
    const before = speedMps[index - 1]!
    speedMps[index] = Math.min(speedMps[index]!, Math.sqrt(before ** 2 + 2 * launchMps2))
  }
  for (let index = 0; index < count; index++) {
    const wayM = Math.hypot(eastM[index + 1]! - eastM[index]!, northM[index + 1]! - northM[index]!)
    const drivingMs = (2000 * wayM) / (speedMps[index]! + speedMps[index + 1]!)
    atMs[index + 1] = atMs[index]! + stopMs[index]! + drivingMs
  }
  return path
}

/** One flying lap, every metre, with the direction to the right. */
function metres(lap: readonly PaceNode[], track: Track, lapM: number) {
  let segment = 0
  return Array.from({ length: lapM }, (_, index) => {
    const alongM = (index / lapM) * track.lengthM
    while (track.alongM[segment + 1]! <= alongM) segment++
    const [from, to] = [track.points[segment]!, track.points[segment + 1]!]
    const stepM = track.alongM[segment + 1]! - track.alongM[segment]!
    const share = (alongM - track.alongM[segment]!) / stepM
    const fromMps = lap[segment]!.speedMps
    return {
      eastM: from.eastM + (to.eastM - from.eastM) * share,
      northM: from.northM + (to.northM - from.northM) * share,
      speedMps: fromMps + ((lap[segment + 1]?.speedMps ?? fromMps) - fromMps) * share,
      rightEast: (to.northM - from.northM) / stepM,
      rightNorth: -(to.eastM - from.eastM) / stepM,
    }
  })
}

/** Returns the path from this metre on as a receiver reports it. */
function measured(
  { hz = 1, whiteM = 0, driftM = 0, seed = 1, accuracyM = null }: Race,
  path: Path,
  from: number,
  toPosition: Track['plane']['toPosition'],
): RacingFix[] {
  const everyMs = 1000 / hz
  const firstMs = Math.ceil(path.atMs[from]! / everyMs) * everyMs
  const noise = receiverNoise(seeded(seed), { driftM, whiteM }, firstMs - everyMs)
  const fixes: RacingFix[] = []
  const lastMs = path.atMs.at(-1)!
  let index = from
  for (let atMs = firstMs; atMs < lastMs; atMs += everyMs) {
    while (path.atMs[index + 1]! <= atMs) index++
    const arrivedMs = path.atMs[index]!
    const leftMs = arrivedMs + path.stopMs[index]!
    const share = atMs <= leftMs ? 0 : (atMs - leftMs) / (path.atMs[index + 1]! - leftMs)
    const here = (of: Float64Array) => of[index]! + (of[index + 1]! - of[index]!) * share
    const { eastM, northM } = noise(atMs)
    const stands = arrivedMs < atMs && atMs < leftMs
    fixes.push({
      atMs,
      ...toPosition({ eastM: here(path.eastM) + eastM, northM: here(path.northM) + northM }),
      speedMps: stands ? 0 : here(path.speedMps),
      headingDeg: null,
      accuracyM,
    })
  }
  return fixes
}
