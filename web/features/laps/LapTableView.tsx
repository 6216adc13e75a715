import type { Lap } from '#contract/laps.ts'
import {
  averageMs,
  bestLap,
  clock,
  deltaTenths,
  deltaText,
  isCompared,
  lapTime,
  type Stint,
  stintsOf,
} from '#web/laps/lapFigures.ts'
import { lapsText } from '#web/text/laps.ts'
import { wholeNumber } from '#web/ui/forms/wholeNumber.ts'
import typography from '#web/ui/theme/typography.module.css'
import styles from './LapsScreen.module.css'

interface Props {
  laps: readonly Lap[]
  gpsPoor: boolean
}

/** Every lap by stint, the newest first. */
export function LapTableView({ laps, gpsPoor }: Props) {
  const best = gpsPoor ? null : bestLap(laps)
  return (
    <table className={styles.table}>
      <caption className={typography.hidden}>{lapsText.table}</caption>
      <thead>
        <tr>
          <th scope="col">{lapsText.lap}</th>
          <th scope="col" className={styles.right}>
            {lapsText.time}
          </th>
          <th scope="col">{lapsText.toAverage}</th>
          <th scope="col" className={styles.right}>
            {lapsText.mark}
          </th>
        </tr>
      </thead>
      {stintsOf(laps)
        .reverse()
        .map(stint => (
          <StintRows key={stint.number} stint={stint} gpsPoor={gpsPoor} best={best} />
        ))}
    </table>
  )
}

interface StintProps {
  stint: Stint
  gpsPoor: boolean
  best: Lap | null
}

function StintRows({ stint: { number, laps }, gpsPoor, best }: StintProps) {
  const average = averageMs(laps)
  return (
    <tbody>
      <tr className={styles.stint}>
        <th scope="rowgroup" colSpan={4}>
          <b>{lapsText.stint(wholeNumber(number))}</b>
          <span className={typography.sub}>{stintText(laps)}</span>
        </th>
      </tr>
      {laps.toReversed().map(lap => (
        <LapRow
          key={lap.number}
          lap={lap}
          gpsPoor={gpsPoor}
          isBest={lap.number === best?.number}
          average={average}
        />
      ))}
    </tbody>
  )
}

interface LapProps {
  lap: Lap
  gpsPoor: boolean
  isBest: boolean
  /** Average lap of the stint; null without one. */
  average: number | null
}

function LapRow({ lap, gpsPoor, isBest, average }: LapProps) {
  const compared = isCompared(lap)
  return (
    <tr data-best={isBest || undefined} data-compared={compared}>
      <td>{lap.number > 0 && wholeNumber(lap.number)}</td>
      <td className={styles.time}>{lap.isSeen ? lapTime(lap.timeMs, gpsPoor) : '--'}</td>
      <td>
        {!compared
          ? lapsText.notCompared
          : !gpsPoor && average !== null && <Delta tenths={deltaTenths(lap.timeMs, average)} />}
      </td>
      <td className={styles.right}>
        {marksOf(lap, isBest).map(mark => (
          <span key={mark} className={styles.mark} data-mark={mark}>
            {markText(mark)}
          </span>
        ))}
      </td>
    </tr>
  )
}

function Delta({ tenths }: { tenths: number }) {
  const className = tenths < 0 ? styles.faster : tenths > 0 ? styles.slower : undefined
  return <span className={className}>{deltaText(tenths)}</span>
}

type Mark = keyof typeof lapsText.marks | 'unseen'

function marksOf({ kind, yellow, isSeen }: Lap, isBest: boolean): Mark[] {
  return [
    ...(kind === 'full' ? [] : [kind]),
    ...(yellow ? (['yellow'] as const) : []),
    ...(isSeen ? [] : (['unseen'] as const)),
    ...(isBest ? (['best'] as const) : []),
  ]
}

function markText(mark: Mark): string {
  return mark === 'unseen' ? lapsText.noTime : lapsText.marks[mark]
}

/** The part of a lap before the first crossing has the number 0, which is not shown. */
function stintText(laps: readonly Lap[]): string {
  const [first] = laps
  const last = laps.at(-1)
  if (!first || !last) return ''
  const time = clock(Math.round((last.startedAt + last.timeMs - first.startedAt) / 1000))
  const from = Math.max(1, first.number)
  if (last.number < from) return time
  if (last.number === from) return lapsText.stintLap(wholeNumber(from), time)
  return lapsText.stintLaps(wholeNumber(from), wholeNumber(last.number), time)
}
