import { greatestOf, leastOf } from '#contract/shared/extremes.ts'
import { isOverGap } from '#racing/laps/drivenLap.ts'
import { isCompared } from '#racing/race/pace.ts'
import { averageMs, bestLap, numbered } from '#web/race/lapFigures.ts'
import type { LinkGap } from '#web/race/linkGaps.ts'
import { lapsText } from '#web/text/laps.ts'
import { medianMs } from './sessionFigures.ts'
import type { ShownLap } from './shownLap.ts'
import { firstNumber, unseenReason } from './unseenLap.ts'

/** Laps that are not compared, with a background of their own. */
export interface Band {
  readonly kind: 'out' | 'in' | 'pit' | 'yellow' | 'link' | 'unseen'
  /** Numbers of the first and the last lap. */
  readonly from: number
  readonly to: number
  /** The official flag or the message of a yellow band; null if members marked its laps, and for the other kinds. */
  readonly message: string | null
}

/** An average, from the first to the last lap of its stint. */
interface StintAverage {
  readonly from: number
  readonly to: number
  readonly timeS: number
}

/** Data of the chart. Times are in seconds; a lap that is not compared has none, which is a gap. */
export interface ChartData {
  /** Lap numbers from 1 on. */
  readonly numbers: number[]
  /** Times of the shown session, then of each compared one. */
  readonly times: (number | null)[][]
  /** The average of each stint of the shown session that has one. */
  readonly averages: readonly StintAverage[]
  readonly bands: readonly Band[]
  readonly best: { readonly number: number; readonly timeS: number } | null
  /** The fastest and the slowest time that fit on the chart. */
  readonly fastestS: number
  readonly slowestS: number
}

/** Slower laps leave the chart, so that one spin does not flatten all others: a share of the median time. */
const slowestShare = 1.06

/** Least height of the chart. */
const leastRangeS = 1

/**
 * Lays out the laps of some stints for the chart, with the times in which the data link was off. Returns null without a
 * numbered lap that is compared.
 */
export function chartData(
  stints: readonly (readonly ShownLap[])[],
  compared: readonly (readonly ShownLap[])[],
  gaps: readonly LinkGap[] = [],
): ChartData | null {
  const laps = numbered(stints.flat())
  const all = [laps, ...compared.map(numbered)]
  const shown = all.flat().filter(isCompared)
  const median = medianMs(shown)
  if (median === null) return null
  const count = greatestOf(all.flat().map(({ number }) => number))
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const fastestS = leastOf(shown.map(({ timeMs }) => timeMs)) / 1000
  const slowest = greatestOf(shown.map(({ timeMs }) => timeMs))
  const best = bestLap(laps)
  return {
    numbers,
    times: all.map(each => timesOf(each, numbers)),
    averages: averagesOf(stints.map(numbered)),
    bands: bandsOf(laps, gaps),
    best: best && { number: best.number, timeS: best.timeMs / 1000 },
    fastestS,
    slowestS: Math.max(Math.min(slowest, median * slowestShare) / 1000, fastestS + leastRangeS),
  }
}

function timesOf(laps: readonly ShownLap[], numbers: readonly number[]): (number | null)[] {
  const times = new Map(laps.filter(isCompared).map(lap => [lap.number, lap.timeMs / 1000]))
  return numbers.map(number => times.get(number) ?? null)
}

function averagesOf(stints: readonly (readonly ShownLap[])[]): StintAverage[] {
  return stints.flatMap(laps => {
    const average = averageMs(laps)
    const compared = laps.filter(isCompared)
    const [from, to] = [compared[0]?.number, compared.at(-1)?.number]
    if (average === null || from === undefined || to === undefined) return []
    return [{ from, to, timeS: average / 1000 }]
  })
}

function bandsOf(laps: readonly ShownLap[], gaps: readonly LinkGap[]): Band[] {
  const bands: Band[] = []
  for (const [index, lap] of laps.entries()) {
    const kind = bandOf(lap, gaps)
    if (!kind) continue
    const from = firstNumber(lap, laps[index - 1])
    const message = (kind === 'yellow' && (lap.yellowFlag ?? lap.yellowMessage)) || null
    const last = bands.at(-1)
    const isNext = last && from - last.to <= 1
    // The laps into and out of one stop.
    if (isNext && kind === 'out' && (last.kind === 'in' || last.kind === 'pit'))
      bands[bands.length - 1] = { ...last, kind: 'pit', to: lap.number }
    else if (isNext && last.kind === kind && last.message === message)
      bands[bands.length - 1] = { ...last, to: lap.number }
    else bands.push({ kind, from, to: lap.number, message })
  }
  return bands
}

function bandOf(lap: ShownLap, gaps: readonly LinkGap[]): Band['kind'] | null {
  const { kind, yellow } = lap
  if (kind === 'pit' || kind === 'in' || kind === 'out') return kind
  if (yellow) return 'yellow'
  return isOverGap(lap) ? unseenReason(lap, gaps) : null
}

/** Names a band like the marks of its laps in the table. */
export function bandName({ kind, message }: Band): string {
  return message ?? lapsText.marks[kind]
}
