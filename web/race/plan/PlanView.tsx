import { useMemo, useState } from 'react'
import { changedPlan } from '#contract/changedPlan.ts'
import type { CarPlan, PlannedStint, Race } from '#contract/races.ts'
import { carStrategy } from '#racing/race/carStrategy.ts'
import { raceMsAt } from '#racing/race/raceClock.ts'
import { recentPlan } from '#racing/race/recentPlan.ts'
import type { CarRace } from '#web/race/carRace.ts'
import { useServerNow } from '#web/race/useServerNow.ts'
import { planText } from '#web/text/plan.ts'
import { Empty } from '#web/ui/Empty.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { JoinRace, LeaveRace, useOpenRace } from './JoinRace.tsx'
import { NextChange } from './NextChange.tsx'
import { PhoneRuns } from './PhoneRuns.tsx'
import styles from './Plan.module.css'
import { PlanBars } from './PlanBars.tsx'
import { PlanRows } from './PlanRows.tsx'
import { PlanWarnings } from './PlanWarnings.tsx'
import { RaceForm } from './RaceForm.tsx'
import { UnsavedChanges } from './UnsavedChanges.tsx'
import { usePlanChanges } from './usePlanChanges.ts'

interface Props {
  teamId: string
  sessionId: string
  race: CarRace
  mayChange: boolean
}

export function PlanView({ teamId, sessionId, race: stored, mayChange }: Props) {
  const nowMs = Math.floor(useServerNow(1000) / 1000) * 1000
  const changes = usePlanChanges(sessionId, stored)
  const [dragged, setDragged] = useState<{ number: number; lengthMs: number } | null>(null)
  const plan = useMemo(() => {
    if (!changes.plan || !dragged) return changes.plan
    return changedPlan(changes.plan, { kind: 'stints', stints: [moved(changes.plan, dragged)] })
  }, [changes.plan, dragged])
  const race = useMemo(() => ({ ...stored, plan }), [stored, plan])
  const laid = recentPlan(race, nowMs)
  const openRace = useOpenRace(teamId)
  const formKey = useFormKey(race.race?.id ?? null)
  const [isTyping, setTyping] = useState(false)
  const join = !race.race && openRace && mayChange && (
    <JoinRace sessionId={sessionId} race={openRace} />
  )
  // The form stays while it contains typed text.
  if (join && !isTyping) return join
  const shown = laid && race.race && shownPlan(race, race.race, laid, nowMs)
  const move = (number: number, lengthMs: number) => {
    if (changes.plan)
      changes.change({ kind: 'stints', stints: [moved(changes.plan, { number, lengthMs })] })
    setDragged(null)
  }
  return (
    <div className={styles.page}>
      {shown && (
        <>
          <PlanBars
            {...shown}
            onDrag={(number, lengthMs) => setDragged({ number, lengthMs })}
            onMove={mayChange ? move : null}
          />
          <UnsavedChanges changes={changes} />
          <PlanWarnings {...shown} />
        </>
      )}
      <div className={styles.columns}>
        <div className={styles.list}>
          {shown ? (
            <NextChange {...shown} strategy={carStrategy(race, nowMs)} />
          ) : (
            join || (
              <Empty title={race.race ? planText.noLap : planText.none}>
                {race.race ? planText.noLapText : planText.noneText}
              </Empty>
            )
          )}
          {race.race && race.car && (
            <PhoneRuns sessionId={sessionId} race={stored} mayChange={mayChange} />
          )}
          {shown && <PlanRows {...shown} onChange={mayChange ? changes.change : null} />}
        </div>
        {/* At the same place with and without a plan, so that typed fields stay when the plan appears. */}
        {mayChange ? (
          <div className={styles.list}>
            <RaceForm
              key={formKey}
              teamId={teamId}
              sessionId={sessionId}
              race={race}
              onTyping={setTyping}
            />
            {race.race && <LeaveRace sessionId={sessionId} />}
          </div>
        ) : (
          !shown && <p className={typography.sub}>{planText.viewOnly}</p>
        )}
      </div>
    </div>
  )
}

/** Returns the key of the form: another one for another race, but not when a new race has been made. */
function useFormKey(raceId: string | null): number {
  const [form, setForm] = useState({ raceId, key: 0 })
  if (form.raceId === raceId) return form.key
  const key = form.raceId === null ? form.key : form.key + 1
  setForm({ raceId, key })
  return key
}

/** Returns what is shown of a plan that is laid out. */
function shownPlan(
  race: CarRace,
  stored: Race,
  { plan, request }: NonNullable<ReturnType<typeof recentPlan>>,
  nowMs: number,
) {
  const raceNowMs = raceMsAt({ ...stored, lengthMs: request.raceMs }, nowMs)
  return { race, plan, request: { ...request, nowMs: raceNowMs } }
}

/** Returns a stint with another length, and the driver that was chosen for it. */
function moved({ stints }: CarPlan, stint: { number: number; lengthMs: number }): PlannedStint {
  const driverId = stints.find(({ number }) => number === stint.number)?.driverId ?? null
  return { ...stint, driverId }
}
