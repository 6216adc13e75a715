import { distanceM } from '#contract/shared/geo.ts'
import { longestSeenMs } from '../circuits/crossing.ts'
import { drivingIntervalMs } from '../circuits/plausible.ts'
import type { RecordedFix } from './recordedFix.ts'
import { RecordingRefused } from './recordingRefused.ts'

/**
 * Throws RecordingRefused if the positions of a driving car are too far apart for lap times: no crossing of a line is
 * seen between them, and several laps would count as one.
 */
export function requireFrequent(fixes: readonly RecordedFix[]) {
  const everyMs = drivingIntervalMs(fixes.map(withSpeed))
  if (everyMs <= longestSeenMs) return
  throw new RecordingRefused(
    `The positions are ${(everyMs / 1000).toFixed(1).replace('.0', '')} s apart: lap times need one at least every ${longestSeenMs / 1000} s. Record more positions.`,
  )
}

function withSpeed(fix: RecordedFix, index: number, fixes: readonly RecordedFix[]) {
  const { atMs, speedMps } = fix
  const before = fixes[index - 1]
  if (speedMps !== null || !before || atMs <= before.atMs) return { atMs, speedMps }
  return { atMs, speedMps: distanceM(before, fix) / ((atMs - before.atMs) / 1000) }
}
