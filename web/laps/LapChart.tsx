import { lazy, Suspense, useMemo } from 'react'
import { averageMs, lapTime } from '#web/race/lapFigures.ts'
import type { LinkGap } from '#web/race/linkGaps.ts'
import { lapsText } from '#web/text/laps.ts'
import typography from '#web/ui/theme/typography.module.css'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import { bandName, type ChartData, chartData } from './chartData.ts'
import styles from './LapChart.module.css'
import type { ShownLap } from './shownLap.ts'

const Plot = lazy(() =>
  import('./Plot.tsx').then(
    module => ({ default: module.Plot }),
    () => ({ default: NoPlot }),
  ),
)

interface Props {
  stints: readonly (readonly ShownLap[])[]
  gpsPoor: boolean
  /** The laps of each compared session. */
  compared: readonly (readonly ShownLap[])[]
  /** The times in which the data link was off. */
  gaps: readonly LinkGap[]
}

/** Lap times by number, the faster the higher. Screen readers read a sentence; the tables have all its figures. */
export function LapChart({ stints, gpsPoor, compared, gaps }: Props) {
  const data = useMemo(() => chartData(stints, compared, gaps), [stints, compared, gaps])
  if (!data) return null
  return (
    <figure className={styles.figure}>
      <div aria-hidden>
        <div className={styles.legend}>
          {data.best && (
            <span className={styles.best}>
              {lapsText.chart.best(lapTime(data.best.timeS * 1000, gpsPoor))}
            </span>
          )}
          <span className={styles.average}>{lapsText.chart.stintAverage}</span>
        </div>
        <div className={styles.plot}>
          <Suspense fallback={null}>
            <Plot data={data} />
          </Suspense>
        </div>
        <span className={styles.axis}>{lapsText.lap}</span>
      </div>
      <figcaption className={typography.hidden}>
        {sentenceOf(data, stints.flat(), gpsPoor)}
      </figcaption>
    </figure>
  )
}

function NoPlot() {
  return <p className={typography.sub}>{lapsText.chart.failed}</p>
}

function sentenceOf(
  { numbers, best, bands }: ChartData,
  laps: readonly ShownLap[],
  gpsPoor: boolean,
): string {
  const { chart } = lapsText
  const average = averageMs(laps)
  const parts = [chart.range(wholeNumber(numbers.length))]
  if (best) parts.push(chart.bestOn(lapTime(best.timeS * 1000, gpsPoor), wholeNumber(best.number)))
  if (average !== null) parts.push(chart.average(lapTime(average, gpsPoor)))
  for (const band of bands) {
    const { from, to } = band
    parts.push(chart.band(bandName(band), wholeNumber(from), from === to ? null : wholeNumber(to)))
  }
  return parts.join(' ')
}
