import { hourMs } from '#contract/shared/durations.ts'
import type { CarStrategy } from '#racing/race/carStrategy.ts'
import {
  type LapsToPitFigure,
  lapsToPitFigure,
  missingStops,
  mostLaps,
} from '#web/race/lapsToPitFigure.ts'
import type { RaceFigure } from '#web/race/raceFigure.ts'
import { stintLeft } from '#web/race/stintLeft.ts'
import { timeLeft } from '#web/race/timeLeft.ts'
import { fuelText } from '#web/text/fuel.ts'
import { stintBoardText } from '#web/text/stintBoard.ts'
import { counterText } from '#web/ui/ages.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'

/** Stint and pit stop on the driver's screen, as they are shown. */
export interface StintBoard {
  /** The next stop, or that there is none to come; null if `race` or nothing has its slot. */
  readonly pitIn: {
    /** True if the car uses the next pit entry, or the one after it: white with black text. */
    readonly isSoon: boolean
    readonly word: string
    /** Laps or minutes to it, or laps to the finish; null if the car comes in in this lap, and after the race. */
    readonly left: string | null
    /** Unit of minutes: a bare number is read as laps. */
    readonly unit: string | null
    /** Unit and reason, such as `laps, fuel`. */
    readonly about: string
  } | null
  readonly stint: StintSlot
  /** Null without a race, before its start and after its end. It takes the place of a stop that is not known. */
  readonly race: RaceFigure | null
  /** Why the next stop is not known, such as `no litres`; null for no reason. */
  readonly unknown: string | null
  /** Time to the next stop, for sessions without lap timing; null without a limit. */
  readonly minutes: string | null
}

interface StintSlot {
  /** Words while the driver is not known. */
  readonly time: string
  /** Time to the limit of the stint or of the driver, whichever comes first, or past it; null without a limit. */
  readonly left: {
    readonly time: string
    readonly word: string
    /** The same for the foot of the screen, beside the state of the connection. */
    readonly short: { readonly figure: string; readonly text: string }
  } | null
  /** Elapsed part of the limit in percent; null without one. */
  readonly percent: number | null
}

/**
 * Returns the driver's figures; null while nothing is known about the stint. `phase` is that of the race: before its clock
 * is started only a stop for fuel is soon.
 */
export function stintBoard(
  strategy: CarStrategy,
  race: RaceFigure | null = null,
  phase: 'waiting' | 'running' | 'over' = 'running',
): StintBoard | null {
  const { stint, asksDriver, limitLeftMs } = strategy
  if (!stint && !asksDriver) return null
  const pitIn = lapsToPitFigure(strategy)
  const finishes = pitIn.isToEnd && (strategy.toGo?.laps ?? 0) <= mostLaps
  const isUnknown = pitIn.when === 'unknown' && !finishes
  const why = isUnknown && !pitIn.isToEnd ? pitIn.reason : null
  const hasNone = isUnknown && (race !== null || why === null)
  const isOver = phase === 'over'
  const next = finishes ? finishOf(strategy) : stopOf(pitIn)
  const isEarly = phase === 'waiting' && next.isSoon && strategy.pitReason !== 'fuel'
  const shown = isEarly ? { ...next, ...notSoon } : next
  return {
    pitIn: isOver ? raceOver : hasNone ? null : shown,
    stint: stint ? stintSlot(stint) : { time: fuelText.asksDriver, left: null, percent: null },
    race: isOver ? null : race,
    unknown: why && fuelText.pitInFor(why),
    minutes: limitLeftMs === null ? null : minutesText(limitLeftMs),
  }
}

const notSoon = { isSoon: false, word: stintBoardText.pitIn }

const raceOver = {
  isSoon: false,
  word: stintBoardText.finish,
  left: null,
  unit: null,
  about: '',
}

function stopOf({ when, value, unit, reason, isSoon, isNow }: LapsToPitFigure) {
  const isMinutes = when === 'in-minutes'
  return {
    isSoon,
    word: isNow ? stintBoardText.pitNow : stintBoardText.pitIn,
    left: isNow || when === 'this-lap' ? null : isSoon ? wholeNumber(1) : value,
    unit: isMinutes ? unit : null,
    about: [isMinutes ? null : isSoon && unit !== null ? `${value} ${unit}` : unit, reason]
      .filter(each => each !== null)
      .join(', '),
  }
}

/** Laps to the finish of a car that reaches it without a stop. */
function finishOf(strategy: CarStrategy) {
  const { toGo, fuel, finishShortL } = strategy
  const laps = toGo?.laps ?? 0
  const missing = missingStops(strategy)
  const { noStop, save, toGo: word } = stintBoardText
  const about = [laps === 1 ? fuelText.lapUnit : fuelText.lapsUnit]
  if (missing !== null) about.push(missing)
  else if (finishShortL > 0) about.push(save(wholeNumber(Math.ceil(finishShortL))))
  else if (fuel) about.push(noStop)
  return { isSoon: false, word, left: wholeNumber(laps), unit: null, about: about.join(', ') }
}

function stintSlot(stint: NonNullable<CarStrategy['stint']>): StintSlot {
  const { elapsedMs } = stint
  const time = counterText(elapsedMs)
  const limit = stintLeft(stint)
  if (!limit) return { time, left: null, percent: null }
  const { leftMs, isDriver } = limit
  const percent = Math.min(100, Math.round((100 * elapsedMs) / Math.max(1, elapsedMs + leftMs)))
  const wordLeft = isDriver ? stintBoardText.yoursLeft : stintBoardText.left
  const word = leftMs < 0 ? stintBoardText.over : wordLeft
  return { time, left: { time: timeLeft(leftMs), word, short: shortLeft(leftMs) }, percent }
}

function shortLeft(leftMs: number) {
  const { left, minutesLeft, over } = stintBoardText
  if (leftMs < 0) return { figure: timeLeft(leftMs), text: over }
  if (leftMs < hourMs) return { figure: timeLeft(leftMs), text: left }
  return { figure: wholeNumber(Math.floor(leftMs / 60_000)), text: minutesLeft }
}

function minutesText(leftMs: number): string {
  const minutes = Math.floor(leftMs / 60_000)
  return minutes < 1 ? stintBoardText.now : stintBoardText.minutes(wholeNumber(minutes))
}
