import { leastOf } from '#contract/shared/extremes.ts'
import { crossedLaps } from '../laps/drivenLap.ts'
import { memoized } from '../memoized.ts'
import { hiddenLapsOf, type TimedCar } from './raceLaps.ts'
import { finishesOf, hasFinished, type RacedCar } from './raceResult.ts'

/** The crossings of the line of one car. */
export interface Crossings {
  /** Times of crossings in milliseconds, in order. */
  readonly at: readonly number[]
  /** The last time at which it is not certain how many laps a gap in reception hid; null without one. */
  readonly uncertainAt: number | null
  /** Crossings in `at` that a gap in reception hid: their times are estimated. */
  readonly hidden: ReadonlySet<number>
}

/** The distance to another car of the team: whole laps, or else time. */
export interface Gap {
  readonly id: string
  readonly laps: number
  /** When both had driven the same laps. */
  readonly timeMs: number
  /**
   * False if it is estimated: a gap in reception hid a number of laps of either car that is not certain, or a crossing
   * that it is measured from.
   */
  readonly isCertain: boolean
}

export interface Gaps {
  /** The own car ahead of this one; null for the first, and while the gap is not known. */
  readonly ahead: Gap | null
  /** The own car behind this one; null for the last, and while the gap is not known. */
  readonly behind: Gap | null
}

interface Driven extends Pick<Crossings, 'hidden'> {
  readonly id: string
  /** Crossings that completed a lap of the race. */
  readonly at: readonly number[]
  /** Whether their number is certain. */
  readonly isCertain: boolean
  /** Its laps in the result, and when it completed the last of them; null until it has finished. */
  readonly finish: { readonly laps: number; readonly finishedAt: number } | null
}

/**
 * Returns the gaps between cars of one team in a race, by the laps they have completed from its start to their finish. Two
 * cars that have finished have the gap of the result. Cars without a lap have none. It needs no timing of the organiser, so
 * other teams' cars are not included.
 */
export function gapsOf(
  cars: readonly { readonly id: string; readonly carRace: RacedCar }[],
  startedAt: number,
): Map<string, Gaps> {
  const usual = cars.map(({ carRace }) => usualLapMs(crossingsOf(carRace).at)).filter(ms => ms > 0)
  const ofOthersMs = usual.length === 0 ? 0 : leastOf(usual)
  const finishes = finishesOf(cars)
  const order = cars
    .map(({ id, carRace }, index): Driven => {
      const { at, uncertainAt, hidden } = crossingsOf(carRace)
      const isCertain = uncertainAt === null || uncertainAt < startedAt
      const finish = hasFinished(carRace) ? (finishes[index] ?? null) : null
      const untilMs = (finish?.finishedAt ?? Number.POSITIVE_INFINITY) + sameCrossingMs
      const completed = completedSince(startedAt, { at, ofOthersMs })
      return { id, at: completed.filter(time => time < untilMs), isCertain, hidden, finish }
    })
    .filter(({ at }) => at.length > 0)
    .sort(byProgress)
  return new Map(
    order.map((car, index) => {
      const [ahead, behind] = [order[index - 1], order[index + 1]]
      return [
        car.id,
        {
          ahead: ahead ? gap(ahead, car, ahead.id) : null,
          behind: behind ? gap(car, behind, behind.id) : null,
        },
      ]
    }),
  )
}

/**
 * Drops crossings before the race, and the one at its start: a rolling start crosses the line somewhat before or after
 * the start was entered, a standing one soon after it. Both are less than half a lap away: of its own laps or, until it
 * has one, of the laps of the other cars.
 */
function completedSince(
  startedAt: number,
  { at, ofOthersMs }: { at: readonly number[]; ofOthersMs: number },
): readonly number[] {
  const halfLapMs = (usualLapMs(at) || ofOthersMs) / 2
  return at.filter(time => time > startedAt + halfLapMs)
}

/** The median time between crossings, the shorter one of two: the other may have a stop in it; 0 without two crossings. */
function usualLapMs(at: readonly number[]): number {
  const times = at.slice(1).map((time, index) => time - (at[index] ?? time))
  return times.sort((a, b) => a - b)[(times.length - 1) >> 1] ?? 0
}

const sameCrossingMs = 1000

/** More laps first, then the earlier last crossing. */
function byProgress(a: Driven, b: Driven): number {
  if (a.finish && b.finish)
    return b.finish.laps - a.finish.laps || a.finish.finishedAt - b.finish.finishedAt
  return b.at.length - a.at.length || (a.at.at(-1) ?? 0) - (b.at.at(-1) ?? 0)
}

/**
 * The gap between two cars when the one behind completed its newest lap, or the laps by which the other one has passed it
 * since. Once both have finished, that of the result.
 */
function gap(ahead: Driven, behind: Driven, id: string): Gap {
  const { laps, from, to } = distance(ahead, behind)
  // Negative if the car ahead has overtaken since.
  const timeMs = Math.max(0, to - from)
  const isTimed = laps > 0 || !(ahead.hidden.has(from) || behind.hidden.has(to))
  return { id, laps, timeMs, isCertain: isTimed && ahead.isCertain && behind.isCertain }
}

/** Returns the laps between two cars, and when each completed the lap that the time is measured from. */
function distance(ahead: Driven, behind: Driven) {
  if (ahead.finish && behind.finish)
    return {
      laps: ahead.finish.laps - behind.finish.laps,
      from: ahead.finish.finishedAt,
      to: behind.finish.finishedAt,
    }
  const count = behind.at.length
  const to = behind.at.at(-1) ?? 0
  const driven = ahead.at.filter(time => time <= to).length
  const laps = Math.max(0, driven - count, ahead.at.length - count - 1)
  return { laps, from: ahead.at[count - 1] ?? to, to }
}

/** Returns the crossings of a car, with those that gaps in reception hid. */
export const crossingsOf = memoized((car: TimedCar): Crossings => {
  const first = car.laps.find(({ kind }) => kind !== 'out')
  const hidden = hiddenLapsOf(car)
  const seen = [
    ...(first ? [first.startedAt] : []),
    ...crossedLaps(car.laps).map(({ startedAt, timeMs }) => startedAt + timeMs),
  ]
  const isSeen = (at: number) => seen.some(time => Math.abs(time - at) <= sameCrossingMs)
  const unseen = hidden.flatMap(laps => laps.at).filter(at => !isSeen(at))
  const uncertainAt = hidden.findLast(({ isCertain }) => !isCertain)?.at.at(-1)
  const sorted = [...seen, ...unseen].sort((a, b) => a - b)
  // The end of a lap and the start of the next one are the same crossing, also if rounding separates them.
  const distinct = sorted.filter((time, index) => {
    const before = sorted[index - 1]
    return before === undefined || time - before > sameCrossingMs
  })
  return { at: distinct, uncertainAt: uncertainAt ?? null, hidden: new Set(unseen) }
})
