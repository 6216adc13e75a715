import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { greatestOf, leastOf } from '#contract/shared/extremes.ts'
import { isCompared } from '#racing/race/pace.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { averageMs, bestLap, lapTime, type TimedLap } from '#web/race/lapFigures.ts'
import { lapsText } from '#web/text/laps.ts'
import { Button } from '#web/ui/Button.tsx'
import { day } from '#web/ui/dates.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import { ChooseSessions } from './ChooseSessions.tsx'
import styles from './Comparison.module.css'
import type { Contestant } from './contestants.tsx'
import { spreadMs } from './sessionFigures.ts'
import type { Compared } from './useCompared.ts'

interface Props {
  teamId: string
  sessionId: string
  contestants: readonly Contestant[]
  compared: readonly Compared[]
  onCompare: (ids: readonly string[]) => void
}

/** The figures of the session, and of others on the same circuit that a member chose. */
export function Comparison({ teamId, sessionId, contestants, compared, onCompare }: Props) {
  const { comparison } = lapsText
  const [choosing, setChoosing] = useState(false)
  const ids = compared.map(({ id }) => id)
  const remove = (id: string) => onCompare(ids.filter(each => each !== id))
  const drivers = driverRows(contestants)
  const hasFigures = contestants.length > 1 || contestants.some(({ laps }) => laps.some(isCompared))
  const failed = compared.filter(({ error, table, session }) => error && !(table && session))
  return (
    <section aria-labelledby="comparison">
      <SectionHead id="comparison" title={comparison.title} />
      {hasFigures && (
        <FiguresTable
          label={comparison.sessions}
          rows={contestants.map(each => ({
            ...each,
            key: each.id,
            title: (
              <>
                {each.swatch} {each.name}
              </>
            ),
            detail: `${each.driver} · ${day.format(each.startedAt)}`,
            action: each.id !== sessionId && (
              <IconButton
                label={comparison.remove(each.name)}
                icon={<X aria-hidden />}
                onPress={() => remove(each.id)}
              />
            ),
          }))}
        />
      )}
      {failed.map(({ id, error }) => (
        <div key={id} role="alert" className={styles.failed}>
          <p>
            {comparison.failed} {refusalText(error)}
          </p>
          <Button variant="quiet" narrow onClick={() => remove(id)}>
            {comparison.removeFailed}
          </Button>
        </div>
      ))}
      {hasFigures && <p className={`${typography.sub} ${styles.note}`}>{comparison.note}</p>}
      <Button variant="quiet" onClick={() => setChoosing(true)}>
        {comparison.choose}
      </Button>
      {drivers.length > 0 && (
        <>
          <h3 className={styles.heading}>{comparison.drivers}</h3>
          <FiguresTable label={comparison.drivers} rows={drivers} />
        </>
      )}
      {contestants.length > 1 && (
        <>
          <h3 className={styles.heading}>{comparison.sideBySide}</h3>
          <SideBySide contestants={contestants} />
        </>
      )}
      {choosing && (
        <ChooseSessions
          teamId={teamId}
          sessionId={sessionId}
          chosen={ids}
          onClose={() => setChoosing(false)}
          onChoose={onCompare}
        />
      )}
    </section>
  )
}

/** Returns the laps of each driver over all sessions; empty for one driver, or if each session is a driver's only one. */
function driverRows(contestants: readonly Contestant[]): FiguresRow[] {
  const byDriver = new Map<string, FiguresRow & { sessions: number }>()
  for (const { drivers, gpsPoor } of contestants)
    for (const { driverId, driver, laps } of drivers) {
      if (!laps.some(isCompared)) continue
      const known = byDriver.get(driverId)
      const sessions = (known?.sessions ?? 0) + 1
      byDriver.set(driverId, {
        key: driverId,
        title: driver,
        sessions,
        detail: lapsText.comparison.sessionCount(sessions),
        laps: [...(known?.laps ?? []), ...laps],
        gpsPoor: gpsPoor || (known?.gpsPoor ?? false),
      })
    }
  const isOneEach =
    byDriver.size === contestants.length && contestants.every(({ drivers }) => drivers.length < 2)
  return byDriver.size < 2 || isOneEach ? [] : [...byDriver.values()]
}

/** Laps with the same number beside each other, a column for each session. */
function SideBySide({ contestants }: { contestants: readonly Contestant[] }) {
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

interface FiguresRow {
  key: string
  title: ReactNode
  detail: string
  laps: readonly TimedLap[]
  gpsPoor: boolean
  /** A button at the right end of the title. */
  action?: ReactNode
}

/** Best, average and spread of some sessions or drivers. The best of all is marked. */
function FiguresTable({ label, rows }: { label: string; rows: readonly FiguresRow[] }) {
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
