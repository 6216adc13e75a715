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

const questions = memoized((carRace: CarRace) => {
  const asked = questionOf(carRace)
  return { question: asked && asked.question, laid: asked && asked.laid }
})

/**
 * Returns the question whether the planned driver took over at the first stop that the car has left, for which the plan
 * had a change and that nobody has answered; null once a later driver change is entered, or that the driver stayed, and after the race. Until it is
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

function questionOf(
  carRace: CarRace,
): { readonly question: DriverQuestion; readonly laid: LaidPlan } | null {
  const { race, stints, drivers, sameDriverAt = [] } = carRace
  const current = stints.at(-1)
  if (!current || !race || race.startedAt === null) return null
  if (!drivers.some(({ id, archived }) => !archived && id !== current.driverId)) return null
  const changedAt = stints.length > 1 ? current.from : Number.NEGATIVE_INFINITY
  const answeredAt = greatestOf([changedAt, ...sameDriverAt])
  for (const { startedAt: stopAt, stoppedAt } of stopsLeft(carRace, answeredAt)) {
    const laid = carPlan(knownAtEntry(carRace, stopAt), stopAt)
    const planned = nextDriver(laid, carRace)
    if (laid && planned && planned.id !== current.driverId)
      return { question: { stopAt, from: stoppedAt, planned }, laid }
  }
  return null
}

/** Returns the stops in the race that began after a time and that the car has left, in order of time. */
function stopsLeft(carRace: CarRace, afterMs: number) {
  const { race, visits } = carRace
  const fromAt = race?.startedAt ?? Number.POSITIVE_INFINITY
  const untilAt = race ? (timesOfCar(race, carRace).endedAt ?? Number.POSITIVE_INFINITY) : fromAt
  return visits.flatMap(({ startedAt, stoppedAt, endedAt }) =>
    stoppedAt !== null &&
    endedAt !== null &&
    startedAt >= fromAt &&
    startedAt < untilAt &&
    startedAt > afterMs
      ? [{ startedAt, stoppedAt }]
      : [],
  )
}

/**
 * Returns a car with the planned driver since the stop of its question, and with those of the same plan after him since
 * each later stop; without a question itself.
 */
export const withPlannedDriver = memoized((carRace: CarRace): CarRace => {
  const question = driverQuestion(carRace)
  const { laid } = questions(carRace)
  const current = carRace.stints.at(-1)
  if (!question || !laid || !current) return carRace
  const since = [question.from, ...stopsLeft(carRace, question.stopAt).map(each => each.stoppedAt)]
  const planned = laid.plan.stints.slice(
    question.planned.stint - 1,
    -1 + question.planned.stint + since.length,
  )
  const next = planned.map(({ driver, number }, index) => ({
    ...current,
    id: `planned ${number}`,
    driverId: driver,
    from: since[index] ?? question.from,
    to: planned[index + 1] ? (since[index + 1] ?? null) : null,
  }))
  const before = { ...current, to: question.from }
  return { ...carRace, stints: [...carRace.stints.slice(0, -1), before, ...next] }
})
