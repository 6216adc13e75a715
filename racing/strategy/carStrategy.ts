import { type RaceTimes, raceClock, raceLaps } from '../clocks/raceClock.ts'
import { countedStints, type StintClock, stintClock } from '../clocks/stintClock.ts'
import type { Visit } from '../clocks/stopClock.ts'
import type { Fill, Tank } from '../fuel/fuel.ts'
import type { DrivenLap } from '../laps/crossedLaps.ts'
import type { TimeLimit } from './pitIn.ts'
import { type Strategy, strategyOf } from './strategy.ts'
import type { RaceLeft } from './toGo.ts'

/** A race, as far as fuel and stops depend on it. */
interface RaceEntry extends Omit<RaceTimes, 'lengthMs'> {
  readonly length:
    | { readonly in: 'time'; readonly ms: number }
    | { readonly in: 'laps'; readonly laps: number }
  readonly rules: { readonly maxStintMs: number | null; readonly maxDriverMs: number | null }
}

/** The stored entries of one session: `stints.ofSession`. */
export interface CarEntries {
  /** Null without a car. */
  readonly car: Tank | null
  /** In order of time, at least one. */
  readonly stints: readonly {
    readonly driverId: string | null
    readonly from: number
    readonly to: number | null
  }[]
  readonly fills: readonly Fill[]
  readonly pitVisits?: readonly Visit[]
  readonly race?: RaceEntry | null
}

/** Figures of one car, with the clock of its stint. */
export interface CarStrategy extends Strategy {
  readonly stint: StintClock | null
}

/** The person who started the session, as a driver without a name. */
const nobody = ''

/** Returns the figures of a car from its entries and laps at a moment of the server's clock. */
export function carStrategy(
  entries: CarEntries,
  laps: readonly DrivenLap[],
  nowMs: number,
): CarStrategy {
  const { car, fills, pitVisits: visits = [], race = null } = entries
  const times = race && raceTimes(race)
  const limits = {
    stintMs: race?.rules.maxStintMs ?? null,
    driverMs: race?.rules.maxDriverMs ?? null,
  }
  const driven = entries.stints.map(({ driverId, from, to }) => ({
    driver: driverId ?? nobody,
    from,
    to,
  }))
  const counted = countedStints(driven, visits, nowMs)
  const stint = stintClock(counted, { others: [], race: times, limits, nowMs })
  const strategy = strategyOf({
    nowMs,
    laps,
    visits,
    fills,
    tank: car,
    limits: stint ? limitsOf(stint) : [],
    stintMs: limits.stintMs,
    race: race && times ? raceLeft(race, times, { laps, nowMs }) : { leftMs: null, laps: null },
    mandatoryStops: 0,
  })
  return { ...strategy, stint }
}

function raceTimes({ length, startedAt, pauses, endedAt }: RaceEntry): RaceTimes {
  return { lengthMs: length.in === 'time' ? length.ms : null, startedAt, pauses, endedAt }
}

function raceLeft(
  { length }: RaceEntry,
  times: RaceTimes,
  { laps, nowMs }: { laps: readonly DrivenLap[]; nowMs: number },
): RaceLeft {
  if (times.startedAt === null) return { leftMs: null, laps: null }
  if (length.in === 'time') return { leftMs: raceClock(times, nowMs).leftMs, laps: null }
  return { leftMs: null, laps: Math.max(0, length.laps - raceLaps(times, laps)) }
}

function limitsOf({ leftMs, allowanceMs }: StintClock): TimeLimit[] {
  const limits: TimeLimit[] = []
  if (leftMs !== null) limits.push({ reason: 'stint', leftMs })
  if (allowanceMs !== null) limits.push({ reason: 'driver', leftMs: allowanceMs })
  return limits
}
