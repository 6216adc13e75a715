import type { ComponentProps } from 'react'
import type { Race } from '#contract/races.ts'
import type { useRoster } from '#web/race/rosterQuery.ts'
import { planText } from '#web/text/plan.ts'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { carsOf } from './carsOf.ts'
import { DeleteRace } from './DeleteRace.tsx'
import { HowLong } from './HowLong.tsx'
import { PlanSummary } from './PlanSummary.tsx'
import { useProposedPlan } from './proposedRace.ts'
import questions from './Questions.module.css'
import { usePlanTimes } from './usePlanTimes.ts'
import { WhichCars } from './WhichCars.tsx'
import { WhichRules } from './WhichRules.tsx'

interface Props
  extends Pick<
    ComponentProps<typeof WhichCars>,
    'teamId' | 'draft' | 'saving' | 'carId' | 'carRace' | 'onChoose'
  > {
  raceId: string
  /** Undefined before it is saved. */
  race: Race | undefined
  /** The race before it, from which a new one takes over; undefined without one. */
  last: Race | undefined
  roster: ReturnType<typeof useRoster>
}

/** The three questions about a race, from which the plan follows. */
export function RaceQuestions(props: Props) {
  const { teamId, raceId, race, last, draft, saving, roster, carId, carRace, onChoose } = props
  const cars = carsOf(draft, roster.data?.cars ?? [])
  const proposedTimes = useProposedPlan({
    teamId,
    last: race || !roster.data ? undefined : last,
    circuitId: draft.circuitId,
    carId,
  })
  const onPlanTime = usePlanTimes({ raceId, cars, race, saving })
  const isPrepared = race?.startedAt == null
  return (
    <div className={questions.questions}>
      <HowLong
        {...{ teamId, draft, saving, onPlanTime }}
        times={carRace ?? { laps: [], plan: proposedTimes ?? null }}
      />
      <WhichRules teamId={teamId} rules={draft.rules} saving={saving} />
      {roster.data ? (
        <WhichCars
          {...{ teamId, draft, saving, carId, carRace, onChoose }}
          raceId={race ? raceId : null}
          cars={roster.data.cars}
          drivers={roster.data.drivers}
        />
      ) : (
        <NotLoaded query={roster} loading={planText.loading} failed={planText.failed} />
      )}
      {race && isPrepared && race.endedAt === null && <DeleteRace teamId={teamId} race={race} />}
      {carRace && isPrepared && <PlanSummary race={carRace} />}
    </div>
  )
}
