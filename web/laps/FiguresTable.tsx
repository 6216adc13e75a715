import type { ReactNode } from 'react'
import { leastOf } from '#contract/shared/extremes.ts'
import { isCompared } from '#racing/race/pace.ts'
import { averageMs, bestLap, lapTime, type TimedLap } from '#web/race/lapFigures.ts'
import { lapsText } from '#web/text/laps.ts'
import typography from '#web/ui/theme/typography.module.css'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import styles from './Comparison.module.css'
import { spreadMs } from './sessionFigures.ts'

export interface FiguresRow {
  key: string
  title: ReactNode
  detail: string
  laps: readonly TimedLap[]
  gpsPoor: boolean
  /** A button at the right end of the title. */
  action?: ReactNode
}

interface Props {
  label: string
  rows: readonly FiguresRow[]
}

/** Best, average and spread of some sessions or drivers. The best of all is marked. */
export function FiguresTable({ label, rows }: Props) {
  const { columns } = lapsText.comparison
  const exact = rows.filter(({ gpsPoor }) => !gpsPoor)
  const bests = exact.flatMap(({ laps }) => bestLap(laps)?.timeMs ?? [])
  const fastest = bests.length > 1 ? leastOf(bests) : null
  return (
    <table className={styles.figures}>
      <caption className={typography.hidden}>{label}</caption>
      <thead>
        <tr>
          {[columns.best, columns.average, columns.spread, columns.laps].map(name => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      {rows.map(row => (
        <tbody key={row.key}>
          <tr>
            <th scope="rowgroup" colSpan={4} className={styles.title}>
              <span className={styles.name}>
                <span>
                  {row.title}
                  <span className={styles.detail}>{row.detail}</span>
                </span>
                {row.action}
              </span>
            </th>
          </tr>
          <FigureCells {...row} fastestMs={fastest} />
        </tbody>
      ))}
    </table>
  )
}

function FigureCells({
  laps,
  gpsPoor,
  fastestMs,
}: Pick<FiguresRow, 'laps' | 'gpsPoor'> & { fastestMs: number | null }) {
  const best = bestLap(laps)?.timeMs ?? null
  const spread = gpsPoor ? null : spreadMs(laps)
  const time = (ms: number | null) => (ms === null ? '--' : lapTime(ms, gpsPoor))
  return (
    <tr>
      <td
        className={styles.time}
        data-best={(!gpsPoor && best !== null && best === fastestMs) || undefined}
      >
        {time(best)}
      </td>
      <td className={styles.time}>{time(averageMs(laps))}</td>
      <td>{spread === null ? '--' : `±${(spread / 1000).toFixed(1)}`}</td>
      <td>{wholeNumber(laps.filter(isCompared).length)}</td>
    </tr>
  )
}
