import { maxRaceLaps, maxStopMs } from '#contract/shared/raceRules.ts'
import type { Gap } from '#contract/shared/timingRules.ts'

/** Reads a typed gap: `12.4` seconds, `1:05.2` minutes, or `2L` laps. Null for anything else. */
export function gapFrom(text: string): Gap | null {
  const typed = text.trim().replace(',', '.')
  const [, laps] = /^(\d{1,4}) ?l(?:aps?)?$/i.exec(typed) ?? []
  if (laps !== undefined) {
    const count = Number(laps)
    return count >= 1 && count <= maxRaceLaps ? { laps: count, ms: 0 } : null
  }
  const [, minutes = '0', seconds] =
    /^(?:(\d{1,3}):(?=[0-5]\d))?(\d{1,4}(?:\.\d{1,3})?)$/.exec(typed) ?? []
  if (seconds === undefined) return null
  const ms = Math.round((Number(minutes) * 60 + Number(seconds)) * 1000)
  return ms <= maxStopMs ? { laps: 0, ms } : null
}
