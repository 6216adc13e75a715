import { useMemo, useState } from 'react'
import type { CarPlan, PlannedStint } from '#contract/races/races.ts'
import type { RaceOfSession } from '#contract/races/stints.ts'
import { changedPlan } from '#contract/shared/racing/changedPlan.ts'
import { raceMsAt } from '#racing/clocks/raceClock.ts'
import { carStrategy, recentPlan } from '#racing/strategy/carStrategy.ts'
import { useServerNow } from '#web/clocks/useServerNow.ts'
import { useLaps } from '#web/laps/useLaps.ts'
import { planText } from '#web/text/race/plan.ts'
import { Empty } from '#web/ui/notices/Empty.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { NextChange } from './NextChange.tsx'
import styles from './Plan.module.css'
import { PlanBars } from './PlanBars.tsx'
import { PlanRows } from './PlanRows.tsx'
import { PlanWarnings } from './PlanWarnings.tsx'
import { JoinRace, LeaveRace, useOpenRace } from './race/JoinRace.tsx'
import { RaceForm } from './race/RaceForm.tsx'
import { UnsavedChanges } from './UnsavedChanges.tsx'
import { usePlanChanges } from './usePlanChanges.ts'

interface Props {
  teamId: string
  sessionId: string
  race: RaceOfSession
  mayChange: boolean
  /** Name of the person who started the session; null while it is loading. */
  starter: string | null
}

/** While laps are loading, and where they are not timed. */
const noLaps: readonly never[] = []

export function PlanView({ teamId, sessionId, race: stored, mayChange, starter }: Props) {
  const nowMs = Math.floor(useServerNow(1000) / 1000) * 1000
  const { data: table } = useLaps(sessionId)
  const laps = table?.laps ?? noLaps
  const changes = usePlanChanges(sessionId, stored)
  const [dragged, setDragged] = useState<{ number: number; lengthMs: number } | null>(null)
  const plan = useMemo(() => {
    if (!changes.plan || !dragged) return changes.plan
    return changedPlan(changes.plan, { kind: 'stints', stints: [moved(changes.plan, dragged)] })
  }, [changes.plan, dragged])
  const race = useMemo(() => ({ ...stored, plan }), [stored, plan])
  const laid = recentPlan(race, laps, nowMs)
  const openRace = useOpenRace(teamId)
  const form = (
    <div className={styles.list}>
      <RaceForm key={race.race?.id} teamId={teamId} sessionId={sessionId} race={race} />
      {race.race && <LeaveRace sessionId={sessionId} />}
    </div>
  )
  if (!race.race && openRace && mayChange) return <JoinRace sessionId={sessionId} race={openRace} />
  if (!laid || !race.race)
    return (
      <div className={styles.columns}>
        <Empty title={race.race ? planText.noLap : planText.none}>
          {race.race ? planText.noLapText : planText.noneText}
        </Empty>
        {mayChange ? form : <p className={typography.sub}>{planText.viewOnly}</p>}
      </div>
    )
  const { request } = laid
  const raceNowMs = raceMsAt({ ...race.race, lengthMs: request.raceMs }, nowMs)
  const shown = { race, plan: laid.plan, request: { ...request, nowMs: raceNowMs }, starter }
  const move = (number: number, lengthMs: number) => {
    if (changes.plan)
      changes.change({ kind: 'stints', stints: [moved(changes.plan, { number, lengthMs })] })
    setDragged(null)
  }
  return (
    <div className={styles.page}>
      <PlanBars
        {...shown}
        onDrag={(number, lengthMs) => setDragged({ number, lengthMs })}
        onMove={mayChange ? move : null}
      />
      <UnsavedChanges changes={changes} />
      <PlanWarnings {...shown} />
      <div className={styles.columns}>
        <div className={styles.list}>
          <NextChange {...shown} window={carStrategy(race, laps, nowMs).window} />
          <PlanRows {...shown} onChange={mayChange ? changes.change : null} />
        </div>
        {mayChange && form}
      </div>
    </div>
  )
}

/** Returns a stint with another length, and the driver that was chosen for it. */
function moved({ stints }: CarPlan, stint: { number: number; lengthMs: number }): PlannedStint {
  const driverId = stints.find(({ number }) => number === stint.number)?.driverId ?? null
  return { ...stint, driverId }
}
