import { dayMs } from '#contract/shared/durations.ts'
import { eachLine } from '../formats/lines.ts'
import { type SeenFlag, withSeen } from './flagPeriods.ts'
import { type RMonitorLine, readRMonitor } from './rmonitorLine.ts'

/** The flag lines of one batch may be older than its newest one by this much. A larger step is one of the clock. */
const longestBatchMs = 15 * 60_000

/** A source may send any text as a flag, and another one with each line: the newest ones count. */
const longestWord = 20
const mostFlags = 20

/**
 * Returns the flags that the lines of a batch state, in order of time. The newest line was received at `receivedMs`, the
 * others earlier by the difference between their times of day.
 */
export function flagsIn(text: string, receivedMs: number): SeenFlag[] {
  const stated: (RMonitorLine & { command: 'flag' })[] = []
  eachLine(text, received => {
    if (!received.includes('$F,')) return
    for (const line of readRMonitor(received.trim()).lines)
      if (line.command === 'flag') stated.push(line)
  })
  const newest = timeOfDayMs(stated.at(-1)?.timeOfDay)
  const seen: SeenFlag[] = []
  for (const { flag: word, timeOfDay } of stated) {
    const flag = word?.slice(0, longestWord) ?? null
    const timeMs = timeOfDayMs(timeOfDay)
    const agoMs = newest === null || timeMs === null ? 0 : (newest - timeMs + dayMs) % dayMs
    const at = receivedMs - (agoMs <= longestBatchMs ? agoMs : 0)
    const before = seen.at(-1)
    const known = withSeen(before, { flag, fromMs: at, seenMs: at })
    if (known && known.fromMs === before?.fromMs) seen.pop()
    if (known) seen.push(known)
  }
  return seen.slice(-mostFlags)
}

function timeOfDayMs(text: string | null | undefined): number | null {
  if (!text) return null
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number)
  return ((hours * 60 + minutes) * 60 + seconds) * 1000
}
