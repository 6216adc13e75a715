import { CircleAlert } from 'lucide-react'
import type { DoubleBooking } from '#racing/race/doubleBooked.ts'
import { hasFinished } from '#racing/race/raceResult.ts'
import { reachedLimit } from '#racing/race/reaches.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { planText } from '#web/text/plan.ts'
import { durationText } from './fieldTimes.ts'
import styles from './Plan.module.css'
import { plannedDriverName, raceTime, type ShownPlan } from './planNames.ts'

/** Warns of a limit this long before it is reached. */
const soonMs = 20 * 60_000

interface Props extends ShownPlan {
  booked: readonly DoubleBooking[]
  others: readonly { readonly carId: string; readonly race: CarRace }[]
}

/** Shows the limits that the plan exceeds, the one that the driver reaches soon, and who is planned in two cars. */
export function PlanWarnings({ booked, others, ...shown }: Props) {
  const { plan, request } = shown
  const isOver = hasFinished(shown.race)
  const warnings: string[] = []
  const reached = reachedLimit(plan.stints, request)
  const current = plan.stints.find(({ state }) => state === 'now')
  // A stop that is planned before the limit needs no warning.
  const plannedMs = current ? current.toMs - request.nowMs : Number.POSITIVE_INFINITY
  if (reached && reached.leftMs <= soonMs && reached.leftMs < plannedMs) {
    const name = current ? plannedDriverName(shown, current) : planText.driverNow
    const limit = durationText(reached.limitMs)
    const minutes = planText.minutes(String(Math.floor(reached.leftMs / 60_000)))
    const left = reached.laps === null ? minutes : planText.laps(String(reached.laps))
    warnings.push(
      reached.leftMs < 0 ? planText.isOver(name, limit) : planText.reaches(name, limit, left),
    )
  }
  for (const limit of plan.broken) {
    if (limit.kind === 'stops')
      warnings.push(planText.tooFewStops(limit.planned, limit.required, isOver))
    if (limit.kind === 'technical')
      warnings.push(planText.technical(durationText(limit.requiredMs), isOver))
  }
  const [first] = booked
  if (first) {
    const name = shown.race.drivers.find(({ id }) => id === first.driver)?.name ?? ''
    const number = others.find(({ carId }) => carId === first.carId)?.race.car?.number ?? ''
    const time = raceTime(shown.race, first.fromMs)
    warnings.push(planText.alsoIn(name, number, time, booked.length - 1))
  }
  return (
    <output className={styles.warnings}>
      {warnings.map(warning => (
        <span key={warning}>
          <CircleAlert size={20} aria-hidden />
          {warning}
        </span>
      ))}
    </output>
  )
}
