import type { Position } from '#contract/shared/places/geo.ts'
import { trackOf } from '#contract/shared/places/track.ts'
import type { RacingFix } from '#racing/fix.ts'
import { gaussian, seeded } from './drives.ts'
import { flyingLap } from './speedProfile.ts'

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

/** A place on the car's path, one every metre. */
interface Node {
  atMs: number
  eastM: number
  northM: number
  speedMps: number
  /** Duration of a stop here. */
  stopMs: number
}

const brakeMps2 = 8
const launchMps2 = 4
/** Length over which the pit road leaves the racing line, before the pit lane begins. */
const rampM = 80
/** Correlation time of the drift. */
const driftMs = 60_000

/** Drives a race, and measures it. */
export function driveRace(race: Race): DrivenRace {
  const { outline, laps, pits, startShare = 0 } = race
  const track = trackOf(flyingLap(outline))
  const lapM = Math.floor(track.lengthM)
  const nodes = wayOf(race, lapM)
  const from = Math.round(startShare * lapM)
  const crossingsMs = laps.flatMap((_, lap) => (lap * lapM < from ? [] : nodes[lap * lapM]!.atMs))
  const visits = laps.flatMap(({ pitStopS }, lap) => {
    if (pitStopS === undefined || !pits) return []
    const at = (placeM: number) =>
      nodes[Math.min(nodes.length - 1, Math.round(lap * lapM + placeM))]!
    const end = at(pits.outM)
    const box = at(pits.boxM)
    const stop = pitStopS > 0 ? { fromMs: box.atMs, untilMs: box.atMs + box.stopMs } : null
    return { startedAtMs: at(pits.inM).atMs, endedAtMs: end.atMs + end.stopMs, stop }
  })
  return { fixes: measured(race, nodes.slice(from), track.plane.toPosition), crossingsMs, visits }
}

/** Returns the car's path, metre by metre, with its speeds and times. */
function wayOf({ outline, laps, pits }: Race, lapM: number): Node[] {
  const lap = metres(outline, lapM)
  const count = laps.length * lapM
  const speeds = new Float64Array(count + 1)
  const nodes: Node[] = Array.from({ length: count + 1 }, (_, index) => {
    const here = lap[index % lapM]!
    const { pace = 1, limitMps = 100 } = laps[Math.min(laps.length - 1, Math.floor(index / lapM))]!
    speeds[index] = Math.min(limitMps, here.speedMps * pace)
    return { atMs: 0, eastM: here.eastM, northM: here.northM, speedMps: 0, stopMs: 0 }
  })
  for (const [number, { pitStopS, stop }] of laps.entries()) {
    const startM = number * lapM
    const halt = (atM: number, forS: number) => {
      const index = Math.min(count, startM + Math.round(atM))
      speeds[index] = Math.min(0.5, speeds[index]!)
      nodes[index]!.stopMs = forS * 1000
    }
    if (stop) halt(stop.atM, stop.forS)
    if (pitStopS === undefined || !pits) continue
    for (let m = pits.inM - rampM; m <= pits.outM + rampM; m++) {
      const index = startM + Math.round(m)
      if (index < 0 || index > count) continue
      const node = nodes[index]!
      const share = Math.min(1, Math.max(0, Math.min(m - pits.inM, pits.outM - m) / rampM + 1))
      const { rightEast, rightNorth } = lap[index % lapM]!
      node.eastM += rightEast * pits.besideM * share
      node.northM += rightNorth * pits.besideM * share
      if (m >= pits.inM && m <= pits.outM) speeds[index] = Math.min(pits.limitMps, speeds[index]!)
    }
    if (pitStopS > 0) halt(pits.boxM, pitStopS)
  }
  for (let index = count - 1; index >= 0; index--) {
    speeds[index] = Math.min(speeds[index]!, Math.sqrt(speeds[index + 1]! ** 2 + 2 * brakeMps2))
  }
  for (let index = 1; index <= count; index++) {
    speeds[index] = Math.min(speeds[index]!, Math.sqrt(speeds[index - 1]! ** 2 + 2 * launchMps2))
  }
  let atMs = 0
  for (const [index, node] of nodes.entries()) {
    node.atMs = atMs
    node.speedMps = speeds[index]!
    const next = nodes[index + 1]
    if (!next) break
    const wayM = Math.hypot(next.eastM - node.eastM, next.northM - node.northM)
    atMs += node.stopMs + (2000 * wayM) / (speeds[index]! + speeds[index + 1]!)
  }
  return nodes
}

/** One flying lap, every metre, with the direction to the right. */
function metres(outline: readonly Position[], lapM: number) {
  const lap = flyingLap(outline)
  const track = trackOf(lap)
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

/** Returns the path as a receiver reports it. */
function measured(
  { hz = 1, whiteM = 0, driftM = 0, seed = 1, accuracyM = null }: Race,
  nodes: readonly Node[],
  toPosition: ReturnType<typeof trackOf>['plane']['toPosition'],
): RacingFix[] {
  const random = seeded(seed)
  const everyMs = 1000 / hz
  const keep = Math.exp(-everyMs / driftMs)
  const drift = { eastM: driftM * gaussian(random), northM: driftM * gaussian(random) }
  const fixes: RacingFix[] = []
  const last = nodes.at(-1)!
  let index = 0
  for (
    let atMs = Math.ceil(nodes[0]!.atMs / everyMs) * everyMs;
    atMs < last.atMs;
    atMs += everyMs
  ) {
    while (nodes[index + 1]!.atMs <= atMs) index++
    const [from, to] = [nodes[index]!, nodes[index + 1]!]
    const leftMs = from.atMs + from.stopMs
    const share = atMs <= leftMs ? 0 : (atMs - leftMs) / (to.atMs - leftMs)
    for (const axis of ['eastM', 'northM'] as const) {
      drift[axis] = keep * drift[axis] + Math.sqrt(1 - keep ** 2) * driftM * gaussian(random)
    }
    const along = (axis: 'eastM' | 'northM') =>
      from[axis] + (to[axis] - from[axis]) * share + drift[axis] + whiteM * gaussian(random)
    const stands = from.stopMs > 0 && atMs > from.atMs && atMs < leftMs
    fixes.push({
      atMs,
      ...toPosition({ eastM: along('eastM'), northM: along('northM') }),
      speedMps: stands ? 0 : from.speedMps + (to.speedMps - from.speedMps) * share,
      headingDeg: null,
      accuracyM,
    })
  }
  return fixes
}
