import { pointAtProgress, trackOf } from '#contract/shared/track.ts'
import type { RacingFix } from '#racing/fix.ts'
import { memoized } from '#racing/memoized.ts'
import { flyingLap } from '#racing/practice/speedProfile.ts'
import { type DriveCycle, driveCycle } from '../race/carDrive.ts'
import { type SimulatedCircuit, zolderCircuit } from '../race/simulatedCircuits.ts'
import type { Random } from '../random.ts'

/** A stop of a car in the pits. Times are those of the simulated day. */
export interface TrueStop {
  readonly pitInAt: number
  /** The car stands in its box. */
  readonly boxFrom: number
  readonly boxUntil: number
  readonly pitOutAt: number
}

/**
 * Stints that cars drive: the number of laps of Zolder, on other circuits as many as take as long, the seconds in the
 * box, and the side of the line on which it is.
 */
const shapes = [
  { laps: 3, stopS: 55 },
  { laps: 4, stopS: 75, isBehindLine: true },
  { laps: 4, stopS: 130 },
  { laps: 5, stopS: 95, isBehindLine: true },
  { laps: 5, stopS: 60 },
]

/** A day ends this long before a stop. */
const beforeStopMs = 5000

/** The cycles of both cars are made once for each circuit: they are the same in all simulated days. */
const cyclesOn = memoized((circuit: SimulatedCircuit) => {
  const longer = zolderCircuit.fastestLapMs / circuit.fastestLapMs
  const { lengthM } = trackOf(flyingLap(circuit.outline))
  // As far behind the line as the usual box is before it.
  const behindM = 2 * lengthM - circuit.pits.boxM
  return [1, 2].map(car =>
    shapes.map(({ laps, stopS, isBehindLine }) => {
      const box = isBehindLine ? { boxM: behindM } : {}
      return driveCycle(car, { laps: Math.round(laps * longer), stopS, ...box }, circuit)
    }),
  )
})

/** The true place of one car during a day: it drives stints without end, with a stop in each. */
export class CarTruth {
  readonly stops: readonly TrueStop[]
  readonly #parts: readonly { readonly fromMs: number; readonly cycle: DriveCycle }[]

  /** `car`: 0 or 1. It drives at `fromMs`, and has this number of stops. */
  constructor(
    car: 0 | 1,
    random: Random,
    { fromMs, stops, circuit }: { fromMs: number; stops: number; circuit: SimulatedCircuit },
  ) {
    const cycles = cyclesOn(circuit)[car] ?? []
    let atMs = fromMs
    this.#parts = Array.from({ length: stops + 1 }, () => {
      const part = { fromMs: atMs, cycle: random.pick(cycles) }
      atMs += part.cycle.lengthMs
      return part
    })
    this.stops = this.#parts.slice(0, stops).map(({ fromMs: partMs, cycle: { stop, visit } }) => ({
      pitInAt: Math.round(partMs + visit.startedAtMs),
      boxFrom: Math.round(partMs + stop.fromMs),
      boxUntil: Math.round(partMs + stop.untilMs),
      pitOutAt: Math.round(partMs + visit.endedAtMs),
    }))
  }

  /** Shortly before the stop after the last one. */
  get endsAt(): number {
    const last = this.#parts.at(-1)
    return last ? Math.floor(last.fromMs + last.cycle.visit.startedAtMs - beforeStopMs) : 0
  }

  /** Returns the place and speed of the car at a time of its drive. */
  at(ms: number): RacingFix {
    const part = this.#parts.findLast(({ fromMs }) => fromMs <= ms)
    if (!part) throw new RangeError('The car does not drive yet.')
    const intoMs = ms - part.fromMs
    const { fixes } = part.cycle
    const index = Math.min(fixes.length - 2, Math.floor(intoMs / 1000))
    const [from, to] = [fixes[index], fixes[index + 1]]
    if (!from || !to) throw new RangeError('The drive of the car is over.')
    const share = Math.min(1, intoMs / 1000 - index)
    const between = (one: number, other: number) => one + (other - one) * share
    return {
      ...from,
      atMs: ms,
      latitude: between(from.latitude, to.latitude),
      longitude: between(from.longitude, to.longitude),
      speedMps: between(from.speedMps ?? 0, to.speedMps ?? 0),
    }
  }
}

/** A place in the garage behind the boxes. */
export const garageOn = memoized(({ outline, pits }: SimulatedCircuit) => {
  const track = trackOf(flyingLap(outline))
  const at = (alongM: number) => pointAtProgress(track, alongM / track.lengthM)
  const [from, to] = [at(pits.boxM), at(pits.boxM + 1)]
  const [eastM, northM] = [to.eastM - from.eastM, to.northM - from.northM]
  const besideM = pits.besideM + 16
  return {
    plane: track.plane,
    point: { eastM: from.eastM + northM * besideM, northM: from.northM - eastM * besideM },
  }
})
