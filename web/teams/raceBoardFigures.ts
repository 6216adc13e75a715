import type { Car } from '#contract/roster.ts'
import { type CarStrategy, carStrategy } from '#racing/race/carStrategy.ts'
import { currentStop } from '#racing/race/currentStop.ts'
import { finishedAt, hasFinished } from '#racing/race/raceResult.ts'
import { recentPlan } from '#racing/race/recentPlan.ts'
import { fuelFigure } from '#web/race/fuelFigure.ts'
import { lapsToPitFigure, missingStops } from '#web/race/lapsToPitFigure.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { stintLeft } from '#web/race/stintLeft.ts'
import { signedTimeLeft } from '#web/race/timeLeft.ts'
import { fuelText } from '#web/text/fuel.ts'
import { raceClockText } from '#web/text/raceClock.ts'
import { teamsText } from '#web/text/teams.ts'

interface KnownCar {
  readonly car: Pick<Car, 'number'>
  readonly race: CarRace
}

/**
 * Returns who starts in each car of a prepared race, by its plan. The order of the team's drivers says it only for a
 * single car.
 */
export function firstDrivers(cars: readonly KnownCar[]): { number: string; name: string }[] {
  return cars.flatMap(({ car: { number }, race }) => {
    const { plan, drivers } = race
    const able = drivers.filter(({ archived }) => !archived)
    const byHand = plan?.stints.find(stint => stint.number === 1)?.driverId
    const first =
      able.find(({ id }) => id === byHand) ??
      able.find(({ id }) => id === plan?.driverIds[0]) ??
      (cars.length === 1 ? able[0] : undefined)
    return first ? [{ number, name: first.name }] : []
  })
}

/** What a car does next in a race that runs, in one line. */
export interface CarLine {
  readonly number: string
  /** When it stops, or that it is in the pits or has finished; null if that is not known. */
  readonly value: string | null
  /** The reasons, the most urgent first. */
  readonly reasons: readonly string[]
  /** True if the team has to act at once. */
  readonly warns: boolean
}

/**
 * Returns a line for each car, the most urgent first: by the time until its stop, then by missing stops, by the time over
 * the limit of the stint, and by low fuel. Cars that need no stop, those in the pits and those that have finished are last.
 */
export function carLines(cars: readonly KnownCar[], nowMs: number): CarLine[] {
  return cars
    .map(({ car: { number }, race }) => {
      const { rank, ...line } = lineOf(race, nowMs)
      return { rank, line: { number, ...line } }
    })
    .toSorted((a, b) => compareRanks(a.rank, b.rank))
    .map(({ line }) => line)
}

/** Figures that order the lines: the first one that differs decides, the lowest comes first. */
type Rank = readonly number[]

function compareRanks(a: Rank, b: Rank): number {
  return (
    a.map((figure, index) => figure - (b[index] ?? 0)).find(difference => difference !== 0) ?? 0
  )
}

function lineOf(race: CarRace, nowMs: number): Omit<CarLine, 'number'> & { rank: Rank } {
  const strategy = carStrategy(race, nowMs)
  const missing = missingStops(strategy)
  if (hasFinished(race)) {
    const value = finishedAt(race) === null ? raceClockText.over : raceClockText.finished
    return { value, reasons: known(missing), warns: false, rank: [3] }
  }
  if (currentStop(race, nowMs))
    return { value: fuelText.inPits, reasons: [], warns: false, rank: [2] }
  const { pitReason, lacksLitres, asksDriver, mandatoryStops } = strategy
  const { when, value, unit, reason, isSoon, isToEnd } = lapsToPitFigure(strategy)
  const over = overLimit(strategy)
  const { isReserve, litres } = fuelFigure(race, strategy, true)
  const isUnknown = when === 'unknown'
  // The limits of the stint and the fuel have their own words once they are reached.
  const isNamed = pitReason === 'fuel' ? isReserve : pitReason !== 'stops' && over !== null
  const reasons = known(
    isSoon ? missing : null,
    over === null ? null : teamsText.stintOver(signedTimeLeft(-over)),
    isReserve ? litres : null,
    lacksLitres ? fuelText.noLitres : null,
    asksDriver ? fuelText.asksDriver : null,
    isNamed && !isUnknown ? null : reason,
  )
  return {
    value: isUnknown ? null : unit === null ? value : `${value} ${unit}`,
    reasons: reasons.length > 0 ? reasons : [fuelText.notKnown],
    warns: isSoon || over !== null || isReserve || lacksLitres,
    rank: [
      isToEnd || (isUnknown && !lacksLitres) ? 1 : 0,
      untilStopMs(race, strategy, nowMs),
      -mandatoryStops,
      -(over ?? 0),
      isReserve ? 0 : 1,
    ],
  }
}

/** Returns the time over the limit of the stint or of the driver; null within it. */
function overLimit({ stint }: CarStrategy): number | null {
  const leftMs = (stint && stintLeft(stint)?.leftMs) ?? 0
  return leftMs < 0 ? -leftMs : null
}

function untilStopMs(race: CarRace, { lapsToPit, limitLeftMs }: CarStrategy, nowMs: number) {
  const lapMs = recentPlan(race, nowMs)?.request.lapMs ?? null
  return lapsToPit !== null && lapMs !== null ? lapsToPit * lapMs : Math.max(0, limitLeftMs ?? 0)
}

function known(...reasons: readonly (string | null)[]): string[] {
  return [...new Set(reasons.filter(reason => reason !== null))]
}
