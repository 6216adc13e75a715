import type { CarStrategy } from '#racing/race/carStrategy.ts'
import { fuelText } from '#web/text/fuel.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'

/** When a car must come in, the same on the wall, the message screen and the driver's screen. */
export interface LapsToPitFigure {
  readonly when: 'now' | 'this-lap' | 'next-lap' | 'in-laps' | 'in-minutes' | 'unknown'
  /** `when` as it is shown; in laps or minutes their number. */
  readonly value: string
  /** Unit of the value; null if it has none. */
  readonly unit: string | null
  /** The limit that comes first, or that the car needs no stop; null if nothing is known. */
  readonly reason: string | null
  /** True if the car uses the next pit entry, or the one after it. */
  readonly isSoon: boolean
  /** True at the last possible lap, and at a stop that the team has planned for this one. */
  readonly isNow: boolean
  /** True if the car reaches the finish: no stop is to come. */
  readonly isToEnd?: true
}

/** A higher number of laps is not shown: it means nothing yet. */
export const mostLaps = 99

/** Returns laps to pit; minutes until a lap time is known. */
export function lapsToPitFigure(strategy: CarStrategy): LapsToPitFigure {
  const { lapsToPit, limitLeftMs, toGo, fuel, pitReason, lacksLitres, window, asksDriver } =
    strategy
  const isLastLap = toGo !== null && toGo.laps <= 1
  const missing = missingStops(strategy)
  const minutes = limitLeftMs === null ? null : Math.max(0, Math.floor(limitLeftMs / 60_000))
  // With laps to go and none to pit, the car reaches the finish.
  const isInLaps = lapsToPit !== null || toGo !== null
  const left = isInLaps ? lapsToPit : minutes
  const none = { value: fuelText.unknown, unit: null, isSoon: false, isNow: false }
  const unknown = { ...none, when: 'unknown' } as const
  // Without the litres of the last stop only a limit that comes at once is sure.
  if (lacksLitres && !isLastLap && (left ?? Number.POSITIVE_INFINITY) > 1)
    return { ...unknown, reason: fuelText.noLitres }
  if (left === null && toGo?.stops === 0)
    return { ...unknown, reason: toTheEnd(strategy), isToEnd: true }
  if (left === null || (isInLaps && left > mostLaps))
    return { ...unknown, reason: left !== null ? null : asksDriver ? fuelText.asksDriver : missing }
  const isAssumed = pitReason === 'fuel' && fuel?.isAssumed
  const reason =
    pitReason === 'stops'
      ? missing
      : pitReason && fuelText.reasons[isAssumed ? 'fuelAssumed' : pitReason]
  if (isInLaps && left <= 1) {
    const isThis = left === 0
    // "1 lap" does not say at the end of which one.
    const value = isThis ? fuelText.thisLap : fuelText.nextLap
    // The plan proposes a lap, it does not demand it: two cars may stop one after the other. Without litres the last lap
    // for the stop is not known.
    const mayWait = pitReason === 'plan' && (lacksLitres || (window?.to ?? 0) > 0)
    const when = isThis ? 'this-lap' : 'next-lap'
    return { when, value, unit: fuelText.lapUnit, reason, isSoon: true, isNow: isThis && !mayWait }
  }
  if (left === 0)
    return { when: 'now', value: fuelText.now, unit: null, reason, isSoon: true, isNow: true }
  const figure = { value: wholeNumber(left), reason, isSoon: false, isNow: false }
  return isInLaps
    ? { ...figure, when: 'in-laps', unit: fuelText.lapsUnit }
    : { ...figure, when: 'in-minutes', unit: fuelText.minutesUnit }
}

/** Names the stops that the rules still require; null for none. */
export function missingStops({
  mandatoryStops,
}: Pick<CarStrategy, 'mandatoryStops'>): string | null {
  return mandatoryStops > 0 ? fuelText.stopsMissing(mandatoryStops) : null
}

/** Names what the car lacks to the finish: a required stop first, else litres, which the driver saves. */
function toTheEnd(strategy: CarStrategy): string {
  const { finishShortL, isOverLimit, toGo } = strategy
  const missing = missingStops(strategy)
  if (missing !== null) return missing
  if (finishShortL > 0) return fuelText.saveToEnd(String(Math.ceil(finishShortL)))
  if (isOverLimit) return fuelText.overLimit
  return (toGo?.laps ?? 0) > 1 ? fuelText.noStop : fuelText.lastLap
}
