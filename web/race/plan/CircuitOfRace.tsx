import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Map as MapIcon } from 'lucide-react'
import type { CircuitId } from '#contract/circuits.ts'
import type { CarPlan } from '#contract/races.ts'
import { paceOf } from '#racing/race/pace.ts'
import { queryOf } from '#web/api/queryOf.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { circuitName } from '#web/race/circuitName.ts'
import { lapTime } from '#web/race/lapFigures.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { planText } from '#web/text/plan.ts'
import { CircuitShape } from '#web/ui/CircuitShape.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import styles from './Questions.module.css'

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' })

/** The laps of a car in a race, and the usual lap and the time of a stop of its plan. */
export interface TimesOfCar {
  readonly laps: CarRace['laps']
  readonly plan: Pick<CarPlan, 'lapMs' | 'stopMs'> | null
}

interface Props {
  teamId: string
  circuitId: CircuitId | null
  times: TimesOfCar
  onChoose: (circuitId: CircuitId | null) => Promise<unknown>
  /** Sets the usual lap for all cars. */
  onLap: (ms: number) => Promise<unknown>
}

/** The choice of the race's circuit, which also sets the usual lap to the team's on it, and the source of that lap. */
export function CircuitOfRace({ teamId, circuitId, times, onChoose, onLap }: Props) {
  const client = useQueryClient()
  const toasts = useToasts()
  const { data: circuits } = useQuery(queryOf('circuits.list', { teamId }))
  const { data: usual } = useQuery({
    ...usualLapQuery(teamId, circuitId ?? ''),
    enabled: circuitId !== null,
  })
  const circuit = circuits?.find(({ id }) => id === circuitId)
  // While the circuits load, the chosen one has no name.
  const isUnnamed = circuitId !== null && !circuits

  async function choose(id: CircuitId | null) {
    try {
      await onChoose(id)
      const lap = id === null ? null : await client.fetchQuery(usualLapQuery(teamId, id))
      // A lap that somebody entered stays.
      const entered = times.plan?.lapMs ?? null
      if (lap && (entered === null || entered === usual?.timeMs)) await onLap(lap.timeMs)
    } catch (reason) {
      toasts.error(planText.saveFailed, refusalText(reason), 'plan')
    }
  }

  return (
    <div className={styles.circuit}>
      {circuit ? <CircuitShape places={circuit.shape} /> : <MapIcon aria-hidden />}
      <span>
        <b>{circuit ? circuitName(circuit) : isUnnamed ? '' : planText.circuitMissing}</b>
        <small>{lapSource(times, usual ?? null)}</small>
      </span>
      <span className={styles.change}>
        <span aria-hidden>{circuit ? planText.change : planText.choose}</span>
        {/* Covers the word, and is transparent. */}
        <select
          aria-label={planText.circuit}
          value={circuit?.id ?? ''}
          onChange={({ target }) => void choose(target.value || null)}
        >
          <option value="">{planText.circuitMissing}</option>
          {circuits?.map(each => (
            <option key={each.id} value={each.id}>
              {circuitName(each)}
            </option>
          ))}
        </select>
      </span>
    </div>
  )
}

function usualLapQuery(teamId: string, circuitId: CircuitId) {
  return queryOf('circuits.usualLap', { teamId, circuitId })
}

/** Returns a sentence on the usual lap of the plan and its source. `usual` is the team's lap on the chosen circuit. */
function lapSource(
  { laps, plan }: TimesOfCar,
  usual: { readonly timeMs: number; readonly laps: number; readonly at: number } | null,
): string {
  const pace = paceOf(laps)
  if (pace) return planText.lapDriven(lapTime(pace.medianMs), String(laps.length))
  if (usual && plan?.lapMs === usual.timeMs)
    return planText.lapOnCircuit(lapTime(usual.timeMs), usual.laps, day.format(usual.at))
  return plan?.lapMs == null ? planText.lapUnknown : planText.lapEntered
}
