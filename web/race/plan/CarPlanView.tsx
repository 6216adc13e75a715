import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { changedPlan } from '#contract/changedPlan.ts'
import type { CarPlan, PlannedStint, Race } from '#contract/races.ts'
import { carStrategy, stintLapsLeft } from '#racing/race/carStrategy.ts'
import { doubleBooked } from '#racing/race/doubleBooked.ts'
import { planSheet } from '#racing/race/planSheet.ts'
import { raceMsAt } from '#racing/race/raceClock.ts'
import { hasFinished } from '#racing/race/raceResult.ts'
import { recentPlan, shownPlan } from '#racing/race/recentPlan.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { useServerNow } from '#web/race/useServerNow.ts'
import { fuelText } from '#web/text/fuel.ts'
import { planText } from '#web/text/plan.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { DialogError } from '#web/ui/Dialog.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { carRaceQuery } from '../carRaceQuery.ts'
import { NextStop } from './NextStop.tsx'
import { PhoneRuns } from './PhoneRuns.tsx'
import styles from './Plan.module.css'
import { PlanBars } from './PlanBars.tsx'
import { DriverTotals, PlanTable } from './PlanTable.tsx'
import { PlanWarnings } from './PlanWarnings.tsx'
import { planSentence } from './planSentence.ts'
import { UnsavedChanges } from './UnsavedChanges.tsx'
import { usePitOrders } from './usePitOrders.ts'
import { usePlanChanges } from './usePlanChanges.ts'

interface Props {
  raceId: string
  carId: string | null
  race: CarRace
  /** The newest session of the car; null before one has joined. */
  sessionId: string | null
  mayChange: boolean
  /** The other cars of a race that has not started. */
  others: readonly { readonly carId: string; readonly race: CarRace }[]
}

/**
 * The plan of one car: bars, a sentence, a table and the time of each driver. During the race also the driven stints,
 * and the phone of each.
 */
export function CarPlanView(props: Props) {
  const { race: stored, sessionId, mayChange, others } = props
  const { changes, race, nowMs, called, strategy, sheet, shown, onDrag, move } = useShownPlan(props)
  const hasStarted = race.race?.startedAt != null
  const isOver = race.race != null && race.race.endedAt !== null
  const phones =
    race.race &&
    race.car &&
    (sessionId !== null ? (
      <PhoneRuns sessionId={sessionId} race={stored} mayChange={mayChange} />
    ) : (
      hasStarted && !isOver && <Empty>{planText.noPhone(race.car.number)}</Empty>
    ))
  const autoPit = sessionId !== null && mayChange && race.race && !isOver && (
    <AutoPit sessionId={sessionId} isOn={race.autoPit} />
  )
  if (!shown || !sheet)
    return (
      <div className={styles.list}>
        <Empty>
          <strong>{planText.none}</strong>{' '}
          {race.race?.length ? planText.lapMissing : planText.lengthMissing}
        </Empty>
        {phones}
      </div>
    )
  const { count, why } = planSentence(sheet, shown.request)
  const planned = others.map(each => ({
    carId: each.carId,
    stints: recentPlan(each.race, nowMs)?.plan.stints ?? [],
  }))
  const areShared = isForAll(race) && others.some(each => isForAll(each.race))
  const table = (
    <div className={styles.list}>
      <PlanTable
        {...shown}
        sheet={sheet}
        called={called}
        onChange={mayChange && !isOver ? changes.change : null}
      />
      <DriverTotals {...shown} sheet={sheet} />
    </div>
  )
  return (
    <div className={styles.plan}>
      <PlanBars {...shown} onDrag={onDrag} onMove={mayChange && !isOver ? move : null} />
      <p className={styles.sentence}>
        <b>{count}</b> {why}
      </p>
      <UnsavedChanges changes={changes} />
      {areShared && <p className={typography.sub}>{planText.shareDrivers}</p>}
      <PlanWarnings
        {...shown}
        others={others}
        booked={areShared ? [] : doubleBooked(shown.plan.stints, planned)}
      />
      {hasStarted ? (
        <div className={styles.columns}>
          <div className={styles.list}>
            {!hasFinished(race) && <NextStop {...shown} {...{ sheet, strategy, nowMs }} />}
            {autoPit}
            {phones}
          </div>
          {table}
        </div>
      ) : (
        <>
          {table}
          {autoPit}
          {phones}
        </>
      )}
    </div>
  )
}

/** Returns the plan with a stint as it is dragged, laid out as its table and its bars show it. */
function useShownPlan({ raceId, carId, race: stored }: Props) {
  const changes = usePlanChanges(raceId, carId, stored.plan)
  const nowMs = Math.floor(useServerNow(1000) / 1000) * 1000
  const [dragged, setDragged] = useState<{ number: number; lengthMs: number } | null>(null)
  const plan = useMemo(() => {
    if (!changes.plan || !dragged) return changes.plan
    return changedPlan(changes.plan, { kind: 'stints', stints: [moved(changes.plan, dragged)] })
  }, [changes.plan, dragged])
  const race = useMemo(() => ({ ...stored, plan }), [stored, plan])
  const laid = shownPlan(race, nowMs)
  const called = usePitOrders(race, laid, nowMs)
  const strategy = carStrategy(race, nowMs)
  const lapsLeft = stintLapsLeft(strategy, laid)
  const sheet = useMemo(() => laid && planSheet(race, laid, lapsLeft), [race, laid, lapsLeft])
  const shown = laid && sheet && race.race && withClock(race, race.race, laid, nowMs)
  const onDrag = (number: number, lengthMs: number) => setDragged({ number, lengthMs })
  const move = (number: number, lengthMs: number) => {
    if (changes.plan)
      changes.change({ kind: 'stints', stints: [moved(changes.plan, { number, lengthMs })] })
    setDragged(null)
  }
  return { changes, race, nowMs, called, strategy, sheet, shown, onDrag, move }
}

/** True while nobody has chosen drivers of a car: its plan takes those of the whole team. */
function isForAll({ plan }: CarRace): boolean {
  return plan?.driverIds.length === 0 && plan.stints.every(({ driverId }) => driverId === null)
}

/** Returns what is shown of a plan that is laid out, at this time. */
function withClock(
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

/** The setting whether the plan sends PIT automatically. */
function AutoPit({ sessionId, isOn }: { sessionId: string; isOn: boolean }) {
  const client = useQueryClient()
  const set = useMutation({
    mutationFn: (on: boolean) => command('stints.setAutoPit', { sessionId, on }),
    onSuccess: async race => {
      client.setQueryData(carRaceQuery(sessionId).queryKey, race)
      await client.invalidateQueries({ queryKey: ['carRaces.ofRace'] })
    },
  })
  return (
    <>
      <Checkbox
        label={fuelText.autoPit}
        checked={set.isPending ? set.variables : isOn}
        disabled={set.isPending}
        onChange={event => set.mutate(event.target.checked)}
      />
      {set.error && <DialogError>{refusalText(set.error)}</DialogError>}
    </>
  )
}
