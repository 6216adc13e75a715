import { raceResult } from '#racing/race/raceResult.ts'
import type { CarRace } from '#web/race/carRace.ts'
import { bestLap, lapTime } from '#web/race/lapFigures.ts'
import { planText } from '#web/text/plan.ts'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import styles from './RaceResult.module.css'

interface Props {
  cars: readonly { readonly carId: string; readonly race: CarRace }[]
  /** On a board, which is black in both themes. */
  onBoard?: boolean
}

/** The team's cars in the order in which they finished, with laps, distance and best lap. */
export function RaceResult({ cars, onBoard = false }: Props) {
  const { columns } = planText.result
  const driven = cars.filter(({ race }) => race.phones.length > 0)
  const rows = raceResult(driven.map(({ carId, race }) => ({ id: carId, carRace: race })))
  if (rows.length === 0) return <p>{planText.result.none}</p>
  return (
    <div className={styles.result} data-board={onBoard || undefined}>
      <table>
        <thead>
          <tr>
            <th>{columns.car}</th>
            <th>{columns.laps}</th>
            <th>{columns.behind}</th>
            <th>{columns.best}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, laps, behind }) => {
            const race = cars.find(({ carId }) => carId === id)?.race
            const best = race && bestLap(race.laps)
            return (
              <tr key={id}>
                <td>
                  <CarPlate number={race?.car?.number ?? ''} onBoard={onBoard} />
                </td>
                <td>{laps}</td>
                <td>{behind && behindText(behind)}</td>
                <td>{best ? lapTime(best.timeMs) : '--'}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p>{planText.result.note}</p>
    </div>
  )
}

function behindText({ laps, timeMs }: { laps: number; timeMs: number }): string {
  if (laps > 0) return `+${planText.laps(String(laps))}`
  return `+${timeMs < 60_000 ? (timeMs / 1000).toFixed(1) : lapTime(timeMs)}`
}
