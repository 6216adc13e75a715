import type { Position } from '#contract/shared/geo.ts'
import { code60, isPitCall } from '#contract/shared/messageTypes.ts'
import { type Track, trackOf } from '#contract/shared/track.ts'
import { flyingLap, type PaceNode } from './speedProfile.ts'

/** A circuit, with its pit lane if it has one: places in metres from the line, which may be in the lane. */
export interface PracticeCircuit {
  /** A closed outline in driving direction, from the line. */
  readonly outline: readonly Position[]
  readonly pits?: { readonly inM: number; readonly boxM: number; readonly outM: number }
}

/** A message that the driver obeys from a time of the drive on; null is an empty screen. */
export interface PracticeOrder {
  readonly type: string | null
  readonly fromMs: number
}

/** Position, speed and heading of the practice car. */
export interface PracticeState extends Position {
  readonly speedKmh: number
  /** 0 is north, 90 is east. */
  readonly headingDeg: number
}

/** Returns where the car is at a time of the drive, in milliseconds, after the messages that it obeyed until then. */
export type PracticeDrive = (atMs: number, orders: readonly PracticeOrder[]) => PracticeState

/** Start of the drive, as a share of the lap: so PIT is obeyed within a minute, and the stop fits into the drive. */
const startShare = 0.62
const stepMs = 100
const pitLimitMps = 60 / 3.6
const boxMs = 12_000
const launchMps2 = 5
const brakeMps2 = 9
/** A car this close to its box has reached it. */
const atBoxM = 0.5

/** Speed limits of messages, in km/h. */
const limitsKmh = new Map<string | null, number>([
  ['FCY', 80],
  ['SC', 100],
  [code60, 60],
])

/**
 * Returns the drive of a practice car: flying laps of a GT car. It slows down for FCY, SC and Code 60, and with PIT it
 * comes in, stops at its box and drives on. The same time and messages give the same place.
 */
export function practiceDrive(circuit: PracticeCircuit): PracticeDrive {
  const pace = flyingLap(circuit.outline)
  const lap: Lap = { pace, track: trackOf(pace), pits: circuit.pits }
  return (atMs, orders) => {
    const car: Car = {
      alongM: startShare * lap.track.lengthM,
      speedMps: 0,
      lane: null,
      served: null,
    }
    car.speedMps = paceAt(lap, car.alongM)
    for (let ms = 0; ms < atMs; ms += stepMs) {
      const order = orders.findLast(({ fromMs }) => fromMs <= ms) ?? null
      step(car, lap, { ms, order, seconds: Math.min(stepMs, atMs - ms) / 1000 })
    }
    return stateOf(car, lap)
  }
}

interface Lap {
  readonly pace: readonly PaceNode[]
  readonly track: Track
  readonly pits: PracticeCircuit['pits']
}

interface Car {
  alongM: number
  speedMps: number
  /** The car is in the pit lane: until it has stopped, then from when on it may leave its box. */
  lane: { leavesAtMs: number | null } | null
  /** The PIT that the car has obeyed. */
  served: PracticeOrder | null
}

function step(
  car: Car,
  lap: Lap,
  { ms, order, seconds }: { ms: number; order: PracticeOrder | null; seconds: number },
) {
  const { pits } = lap
  const comesIn = pits !== undefined && isPitCall(order?.type) && order !== car.served
  const allowedMps = Math.min(
    paceAt(lap, car.alongM),
    (limitsKmh.get(order?.type ?? null) ?? Number.POSITIVE_INFINITY) / 3.6,
    pits && (comesIn || car.lane) ? allowedByPits(car, lap, ms) : Number.POSITIVE_INFINITY,
  )
  const brakedMps = car.speedMps - brakeMps2 * seconds
  const launchedMps = car.speedMps + launchMps2 * seconds
  car.speedMps = Math.max(0, brakedMps, Math.min(allowedMps, launchedMps))
  const movedM = car.speedMps * seconds
  if (pits && comesIn && !car.lane && aheadM(lap, car.alongM, pits.inM) <= movedM) {
    car.lane = { leavesAtMs: null }
    car.served = order
  }
  if (pits && car.lane) {
    if (car.lane.leavesAtMs === null && aheadM(lap, car.alongM, pits.boxM) - movedM <= atBoxM)
      car.lane.leavesAtMs = ms + boxMs
    if (car.lane.leavesAtMs !== null && aheadM(lap, car.alongM, pits.outM) <= movedM)
      car.lane = null
  }
  car.alongM = (car.alongM + movedM) % lap.track.lengthM
}

/** Brakes to the limit at the entry, and then to a standstill at the box. */
function allowedByPits(car: Car, lap: Lap, ms: number): number {
  const { inM = 0, boxM = 0 } = lap.pits ?? {}
  if (!car.lane) return Math.sqrt(pitLimitMps ** 2 + brakeMps2 * aheadM(lap, car.alongM, inM))
  const { leavesAtMs } = car.lane
  if (leavesAtMs !== null) return ms < leavesAtMs ? 0 : pitLimitMps
  return Math.min(pitLimitMps, Math.sqrt(brakeMps2 * aheadM(lap, car.alongM, boxM)))
}

/** Returns the way from one place of the lap to another one, in driving direction. */
function aheadM({ track }: Lap, fromM: number, toM: number): number {
  return (((toM - fromM) % track.lengthM) + track.lengthM) % track.lengthM
}

/** Returns the index of the node before a place, and how far the place is towards the next one: 0 to 1. */
function nodeAt({ pace, track }: Lap, alongM: number): { index: number; share: number } {
  // The nodes are about equally far apart.
  let index = Math.min(pace.length - 2, Math.floor((alongM / track.lengthM) * (pace.length - 1)))
  while (index > 0 && (track.alongM[index] ?? 0) > alongM) index--
  while (index < pace.length - 2 && (track.alongM[index + 1] ?? 0) <= alongM) index++
  const [fromM = 0, toM = 0] = [track.alongM[index], track.alongM[index + 1]]
  return { index, share: toM > fromM ? (alongM - fromM) / (toM - fromM) : 0 }
}

function paceAt(lap: Lap, alongM: number): number {
  const { index, share } = nodeAt(lap, alongM)
  const [from, to] = [lap.pace[index]?.speedMps ?? 0, lap.pace[index + 1]?.speedMps ?? 0]
  return from + (to - from) * share
}

function stateOf({ alongM, speedMps }: Car, lap: Lap): PracticeState {
  const { points, plane } = lap.track
  const { index, share } = nodeAt(lap, alongM)
  const from = points[index] ?? { eastM: 0, northM: 0 }
  const to = points[index + 1] ?? from
  const [eastM, northM] = [to.eastM - from.eastM, to.northM - from.northM]
  const deg = Math.round((Math.atan2(eastM, northM) * 180) / Math.PI)
  return {
    ...plane.toPosition({
      eastM: from.eastM + eastM * share,
      northM: from.northM + northM * share,
    }),
    speedKmh: Math.round(speedMps * 3.6),
    headingDeg: (deg + 360) % 360,
  }
}
