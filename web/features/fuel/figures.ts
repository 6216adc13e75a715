import type { Lap } from '#contract/laps.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { type CarStrategy, carStrategy } from '#racing/strategy/carStrategy.ts'
import { clock, lapTime } from '#web/laps/lapFigures.ts'
import { hasStint } from '#web/stints/hasStint.ts'
import { fuelText } from '#web/text/race/fuel.ts'

/** Figures of the stint line, as they are shown. */
export interface StintFigures {
  readonly stint: { readonly name: string; readonly time: string }
  readonly pitIn: string
  readonly fuel: { readonly litres: string; readonly plusMinus: string | null }
  /** The last lap; null before the first, and if laps are not timed. */
  readonly last: string | null
}

/** Returns the figures of the stint line; null for a session without a car and a race, which looks as before. */
export function stintFigures(
  race: RaceOfSession,
  { laps, lapTiming, gpsPoor }: { laps: readonly Lap[]; lapTiming: boolean; gpsPoor: boolean },
  nowMs: number,
): StintFigures | null {
  if (!hasStint(race)) return null
  const strategy = carStrategy(race, laps, nowMs)
  const last = laps.findLast(({ kind }) => kind === 'full' || kind === 'pit')
  return {
    stint: stintOf(strategy),
    pitIn: pitInText(strategy, lapTiming),
    fuel: fuelOf(strategy),
    last: last ? (last.isSeen ? lapTime(last.timeMs, gpsPoor) : fuelText.unknown) : null,
  }
}

function stintOf({ stint }: CarStrategy): StintFigures['stint'] {
  if (!stint) return { name: fuelText.stint, time: fuelText.unknown }
  const { leftMs, elapsedMs, allowanceMs } = stint
  if (allowanceMs !== null && allowanceMs < (leftMs ?? Number.POSITIVE_INFINITY))
    return { name: fuelText.driverLeft, time: signedClock(allowanceMs) }
  if (leftMs === null) return { name: fuelText.stint, time: clock(Math.floor(elapsedMs / 1000)) }
  return { name: fuelText.stintLeft, time: signedClock(leftMs) }
}

function pitInText({ pitIn, nextLimit }: CarStrategy, lapTiming: boolean): string {
  if (pitIn) return pitIn.laps === 0 ? fuelText.now : fuelText.laps(pitIn.laps)
  if (lapTiming || !nextLimit) return fuelText.unknown
  return fuelText.minutes(Math.max(0, Math.floor(nextLimit.leftMs / 60_000)))
}

function fuelOf({ fuel }: CarStrategy): StintFigures['fuel'] {
  if (!fuel) return { litres: fuelText.unknown, plusMinus: null }
  const plusMinus = Math.ceil(fuel.plusMinusL)
  return {
    litres: fuelText.litres(String(Math.round(fuel.leftL))),
    plusMinus: fuelText.plusMinus(String(plusMinus)),
  }
}

/** A time that runs down, with a minus beyond its end. */
export function signedClock(leftMs: number): string {
  if (leftMs >= 0) return clock(Math.ceil(leftMs / 1000))
  return `\u2212${clock(Math.floor(-leftMs / 1000))}`
}
