import { ArrowDown } from 'lucide-react'
import { minuteMs } from '#contract/shared/durations.ts'
import { planSheet } from '#racing/race/planSheet.ts'
import { recentPlan } from '#racing/race/recentPlan.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { useServerNow } from '#web/race/useServerNow.ts'
import { planText } from '#web/text/plan.ts'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import { useMedia } from '#web/ui/useMedia.ts'
import { planSentence } from './planSentence.ts'
import styles from './Questions.module.css'

/** The plan is not beside the questions. */
const narrow = '(max-width: 1023px)'

/** The stints and stops that follow from the answers, at the bottom of a screen that has no room for the plan beside them. */
export function PlanSummary({ race }: { race: CarRace }) {
  return useMedia(narrow) ? <Summary race={race} /> : null
}

function Summary({ race }: { race: CarRace }) {
  const laid = recentPlan(race, useServerNow(minuteMs))
  if (!laid) return null
  const { count } = planSentence(planSheet(race, laid), laid.request)
  return (
    <a href="#plan" className={styles.summary}>
      {race.car && <CarPlate number={race.car.number} onBoard />}
      <b>{count}</b>
      <span>{planText.page}</span>
      <ArrowDown aria-hidden />
    </a>
  )
}
