import type { Gap } from '#contract/shared/timingRules.ts'
import { lapTime } from '#web/race/lapFigures.ts'
import { timingText } from '#web/text/timing.ts'

/** The sign of a gap to the car ahead, and from the car behind. */
export type GapSign = '+' | '\u2212'

/** A gap of `1 lap`, or of `+12.4` seconds; null is not known. */
export function gapText(gap: Gap | null, sign: GapSign = '+'): string {
  if (gap === null) return timingText.notKnown
  if (gap.laps > 0) return timingText.laps(gap.laps)
  return `${sign}${gap.ms < 60_000 ? (gap.ms / 1000).toFixed(1) : lapTime(gap.ms)}`
}

/** Time to go as `3:24:18`. */
export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** A time since the newest line: `0.6 s`, `42 s`, `3 min`. */
export function lineAgeText(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`
  return ms < 120_000 ? `${Math.floor(ms / 1000)} s` : `${Math.floor(ms / 60_000)} min`
}

const tones = [
  ['green', 'go'],
  ['yellow', 'pit'],
  ['red', 'abort'],
  ['purple', 'code60'],
  ['finish', 'finish'],
  ['check', 'finish'],
] as const

/** Words that are too short, or too general, to be recognised by their beginning. */
const wholeWords = new Map([
  ['fcy', 'pit'],
  ['sc', 'pit'],
  ['code 60', 'code60'],
])

/** The colour of a flag's word, which RMonitor cuts to six letters. Null for a word without one. */
export function flagTone(flag: string | null): string | null {
  const word = flag?.trim().toLowerCase() ?? ''
  if (word === '') return null
  const whole = wholeWords.get(word)
  if (whole !== undefined) return whole
  return tones.find(([name]) => name.startsWith(word) || word.startsWith(name))?.[1] ?? null
}
