import { greatestOf } from '#contract/shared/extremes.ts'
import { isCompared } from '#racing/race/pace.ts'
import { bestLap, lapTime } from '#web/race/lapFigures.ts'
import { lapsText } from '#web/text/laps.ts'
import typography from '#web/ui/theme/typography.module.css'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import styles from './Comparison.module.css'
import type { Contestant } from './contestants.tsx'

/** Laps with the same number beside each other, a column for each session. */
export function SideBySide({ contestants }: { contestants: readonly Contestant[] }) {
  const last = Math.max(
    0,
    greatestOf(contestants.flatMap(({ laps }) => laps.map(({ number }) => number))),
  )
  const numbers = Array.from({ length: last }, (_, index) => index + 1)
  const columns = contestants.map(({ laps, gpsPoor, ...rest }) => ({
    ...rest,
    gpsPoor,
    best: gpsPoor ? null : (bestLap(laps)?.number ?? null),
    byNumber: new Map(laps.map(lap => [lap.number, lap])),
  }))
  return (
    <table className={styles.sideBySide}>
      <caption className={typography.hidden}>{lapsText.comparison.sideBySide}</caption>
      <thead>
        <tr>
          <th scope="col">{lapsText.lap}</th>
          {columns.map(({ id, name, swatch }) => (
            <th key={id} scope="col" title={name}>
              {swatch}
              <span className={styles.columnName}>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {numbers.map(number => (
          <tr key={number}>
            <th scope="row">{wholeNumber(number)}</th>
            {columns.map(({ id, byNumber, gpsPoor, best }) => {
              const lap = byNumber.get(number)
              return (
                <td
                  key={id}
                  data-compared={lap && isCompared(lap)}
                  data-best={best === number || undefined}
                >
                  {lap && (lap.isSeen ? lapTime(lap.timeMs, gpsPoor) : '--')}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
