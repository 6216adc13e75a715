import type { RecordedFix } from './recordedFix.ts'
import { RecordingRefused } from './recordingRefused.ts'

const minuteMs = 60_000

/** Fewer fixes show nothing. */
const leastFixes = 20

/** More fixes than this in a minute cannot be distinguished if their times have no seconds. */
const mostInMinute = 5

/** No receiver measures so many positions with the same time. */
const mostAtOnce = 150

/** Throws RecordingRefused if the times were cut to minutes, or rounded so that many fixes have the same one. */
export function requireSeconds(fixes: readonly RecordedFix[]) {
  if (fixes.length < leastFixes) return
  const times = new Set<number>()
  let areMinutes = true
  for (const { atMs } of fixes) {
    times.add(atMs)
    areMinutes &&= atMs % minuteMs === 0
  }
  const each = Math.round(fixes.length / times.size)
  if (areMinutes && each >= mostInMinute)
    throw new RecordingRefused(
      `The times have no seconds: ${each} positions have the same one, so laps cannot be timed. Export the times with seconds and their fractions.`,
      { lacksTimes: true },
    )
  if (each > mostAtOnce)
    throw new RecordingRefused(
      `The times are rounded: ${each} positions have the same one, so laps cannot be timed. Export the times with fractions of a second.`,
      { lacksTimes: true },
    )
}
