import { isOverGap } from '#racing/laps/drivenLap.ts'
import type { LinkGap } from '#web/race/linkGaps.ts'
import { lapsText } from '#web/text/laps.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import type { ShownLap } from './shownLap.ts'

type NumberedLap = Pick<ShownLap, 'number'>

/** Returns the number of the first lap in a row: a lap over a gap includes all laps that the gap hid. */
export function firstNumber(lap: ShownLap, before: NumberedLap | undefined): number {
  return isOverGap(lap) ? Math.min(lap.number, (before?.number ?? 0) + 1) : lap.number
}

/** Names the numbers of a lap: 4, or 2–4 over a gap; empty for a part of a lap, which has none. */
export function lapNumbers(lap: ShownLap, before: NumberedLap | undefined): string {
  if (lap.number === 0) return ''
  const [from, to] = [firstNumber(lap, before), lap.number].map(wholeNumber)
  return from === to ? `${to}` : lapsText.lapNumbers(`${from}`, `${to}`)
}

/** Returns why the end of a lap was not seen: the data link was off, or there was no position; null if it was seen. */
export function unseenReason(lap: ShownLap, gaps: readonly LinkGap[]): 'link' | 'unseen' | null {
  if (lap.isSeen && !isOverGap(lap)) return null
  const { startedAt, timeMs } = lap
  const isOff = gaps.some(({ from, to }) => from < startedAt + timeMs && to > startedAt)
  return isOff ? 'link' : 'unseen'
}
