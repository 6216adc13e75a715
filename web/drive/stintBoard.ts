import { hourMs } from '#contract/shared/durations.ts'
import type { CarStrategy } from '#racing/race/carStrategy.ts'
import { counterText } from '#web/race/ages.ts'
import { pitInOf } from '#web/race/pitIn.ts'
import type { RaceFigure } from '#web/race/raceFigure.ts'
import { stintLeft } from '#web/race/stintLeft.ts'
import { timeLeft } from '#web/race/timeLeft.ts'
import { stintBoardText } from '#web/text/stintBoard.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'

/** Stint and pit stop on the driver's screen, as they are shown. */
export interface StintBoard {
  readonly pitIn: {
    /** True if the car uses the next pit entry, or the one after it: white with black text. */
    readonly isSoon: boolean
    readonly word: string
    /** Laps or minutes; null if the car comes in in this lap. */
    readonly left: string | null
    /** Unit of minutes: a bare number is read as laps. */
    readonly unit: string | null
    /** Unit and reason, such as `laps, fuel`. */
    readonly about: string
  }
  readonly stint: StintSlot
  /** Null without a race, and before its start. */
  readonly race: RaceFigure | null
  /** Time to the next stop, for sessions without lap timing; null without a limit. */
  readonly minutes: string | null
}

interface StintSlot {
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

/** Returns the driver's figures; null while nothing is known about the stint. */
export function stintBoard(
  strategy: CarStrategy,
  race: RaceFigure | null = null,
): StintBoard | null {
  const { stint, limitLeftMs } = strategy
  if (!stint) return null
  const { when, value, unit, reason, isSoon, isNow } = pitInOf(strategy)
  const isMinutes = when === 'in-minutes'
  return {
    pitIn: {
      isSoon,
      word: isNow ? stintBoardText.pitNow : stintBoardText.pitIn,
      left: isNow || when === 'this-lap' ? null : isSoon ? wholeNumber(1) : value,
      unit: isMinutes ? unit : null,
      about: [isMinutes ? null : isSoon && unit !== null ? `${value} ${unit}` : unit, reason]
        .filter(each => each !== null)
        .join(', '),
    },
    stint: stintSlot(stint),
    race,
    minutes: limitLeftMs === null ? null : minutesText(limitLeftMs),
  }
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
