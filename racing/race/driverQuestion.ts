import { greatestOf } from '#contract/shared/extremes.ts'
import { memoized } from '../memoized.ts'
import { carPlan, knownAtEntry, type LaidPlan } from './carPlan.ts'
import type { CarRace } from './carRace.ts'
import { timesOfCar } from './raceResult.ts'

/** The driver of a planned stint. */
export interface PlannedDriver {
  readonly id: string
  /** Number of the stint. */
  readonly stint: number
}

/** Returns the driver of the next stint of a plan; null without one. */
export function nextDriver(
  planned: LaidPlan | null,
  { drivers }: Pick<CarRace, 'drivers'>,
): PlannedDriver | null {
  const next = planned?.plan.stints.find(({ state }) => state === 'next')
  // An archived driver cannot be chosen.
  const driver = drivers.find(({ id, archived }) => id === next?.driver && !archived)
  return driver && next ? { id: driver.id, stint: next.number } : null
}

/** A planned driver change at a stop that the car has left, which nobody has answered. */
export interface DriverQuestion {
  /** When the car entered the pits. Identifies the stop. */
  readonly stopAt: number
  /** When the car stopped: the change is made then. */
  readonly from: number
  readonly planned: PlannedDriver
}

const questions = memoized((carRace: CarRace) => ({ question: questionOf(carRace) }))

/**
 * Returns the question whether the planned driver took over at the last stop that the car has left and for which the plan
 * had a change; null once a later driver change is entered, or that the driver stayed, and after the race. Until it is
 * answered, the driver and with that the stint are not known.
 */
export function driverQuestion(carRace: CarRace): DriverQuestion | null {
  const isOver = carRace.race !== null && carRace.race.endedAt !== null
  return isOver ? null : questions(carRace).question
}

/** Returns whether the driver of the last stint is not confirmed, also after the race. */
export function isUnconfirmed(carRace: CarRace): boolean {
  return questions(carRace).question !== null
}

function questionOf(carRace: CarRace): DriverQuestion | null {
  const { race, stints, visits, drivers, sameDriverAt = [] } = carRace
  const current = stints.at(-1)
  if (!current || !race || race.startedAt === null) return null
  if (!drivers.some(({ id, archived }) => !archived && id !== current.driverId)) return null
  const changedAt = stints.length > 1 ? current.from : Number.NEGATIVE_INFINITY
  const answeredAt = greatestOf([changedAt, ...sameDriverAt])
  const fromAt = race.startedAt
  const untilAt = timesOfCar(race, carRace).endedAt ?? Number.POSITIVE_INFINITY
  const left = visits.filter(
    ({ startedAt, endedAt }) =>
      endedAt !== null && startedAt >= fromAt && startedAt < untilAt && startedAt > answeredAt,
  )
  for (const { startedAt: stopAt, stoppedAt } of left.toReversed()) {
    if (stoppedAt === null) continue
    const planned = nextDriver(carPlan(knownAtEntry(carRace, stopAt), stopAt), carRace)
    if (planned && planned.id !== current.driverId) return { stopAt, from: stoppedAt, planned }
  }
  return null
}

/** Returns a car with the planned driver since the stop of its question; without a question itself. */
export const withPlannedDriver = memoized((carRace: CarRace): CarRace => {
  const question = driverQuestion(carRace)
  const current = carRace.stints.at(-1)
  if (!question || !current) return carRace
  const { from, planned } = question
  const next = { ...current, id: `planned ${planned.stint}`, driverId: planned.id, from }
  return { ...carRace, stints: [...carRace.stints.slice(0, -1), { ...current, to: from }, next] }
})
