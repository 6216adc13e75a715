import { dayMs, minuteMs } from '#contract/shared/durations.ts'
import type { Position } from '#contract/shared/geo.ts'
import type { RacingFix } from '../fix.ts'
import { cleanFixes } from './cleanFixes.ts'
import { csvFixes } from './csv.ts'
import { nmeaFixes } from './nmea.ts'
import { otherFile } from './otherFiles.ts'
import type { RecordedFix } from './recordedFix.ts'
import { RecordingRefused } from './recordingRefused.ts'
import { vboFixes } from './vbo.ts'
import { xmlFixes } from './xml.ts'

/** A recording larger than this is refused: a day at 25 Hz is smaller. */
export const maxRecordingBytes = 512_000_000

/** Number of characters at the beginning of a file that are searched for its format and its date. */
export const headLetters = 20_000

export interface Recording {
  /** In order of time. */
  readonly fixes: RacingFix[]
  /** The middle of the start/finish line that the file has; null without one. */
  readonly line: Position | null
  /** Weeks that were added to all times, because the receiver's calendar had begun again; else 0. */
  readonly addedWeeks: number
}

type Read = (text: string, monthFirst: boolean) => { fixes: RecordedFix[]; line?: Position | null }

const readXml: Read = text => ({ fixes: xmlFixes(text) })
const readCsv: Read = (text, monthFirst) => ({ fixes: csvFixes(text, monthFirst) })

/** How the text of each format is recognised. Every other text is read as a CSV file. */
const formats: [sign: RegExp, read: Read][] = [
  [/^\s*</, readXml],
  [/^\[(?:header|column names)\]/im, vboFixes],
  // A log may begin in the middle of a sentence, or with other text.
  [
    /\$[A-Z]{2}(?:RMC|GGA|GNS|GSA|GSV|VTG|GLL|ZDA|TXT),|^\$P[A-Z]{3}/m,
    text => ({ fixes: nmeaFixes(text) }),
  ],
]

interface Options {
  /** Reads 05/06/2025 as the 6th of May. */
  readonly monthFirst?: boolean
  /** The time of reading. */
  readonly nowMs?: number
}

/** Returns the fixes of `recordingIn`. */
export function readRecording(text: string, options: Options = {}): RacingFix[] {
  return recordingIn(text, options).fixes
}

/**
 * Reads a recording: VBO, GPX, TCX, KML, NMEA 0183, RaceChrono CSV, or a CSV file with a header. Dates such as
 * 05/06/2025 have the day first, or the month with `monthFirst`. Throws RecordingRefused.
 */
export function recordingIn(
  text: string,
  { monthFirst = false, nowMs = Date.now() }: Options = {},
): Recording {
  const clean = text.slice(text.charCodeAt(0) === 0xfeff ? 1 : 0, endOf(text))
  const head = clean.slice(0, headLetters)
  const [, read] = formats.find(([sign]) => sign.test(head)) ?? [null, readCsv]
  // Logs of NMEA may have binary frames in between.
  const other = read === readXml || read === readCsv ? otherFile(head) : null
  if (other !== null) throw new RecordingRefused(other)
  const { fixes: recorded, line = null } = read(clean, monthFirst)
  requireSeconds(recorded)
  const fixes = cleanFixes(recorded)
  if (fixes.length === 0)
    throw new RecordingRefused(
      recorded.length === 0
        ? 'The file contains no positions with a time. Export it with times and GPS positions.'
        : 'The positions in the file are not on earth, or all 0. Export it with GPS positions in degrees.',
    )
  return { fixes, line, addedWeeks: correctWeeks(fixes, nowMs) }
}

/** Returns the length of the text without the NUL characters at its end, which remain if the logger lost power. */
function endOf(text: string): number {
  let end = text.length
  while (text[end - 1] === '\0') end -= 1
  return end
}

/** Satellites count the weeks up to 1,024 and then from 0 again: old receivers report a date that is as much too early. */
const roundMs = 1024 * 7 * dayMs

/** Receivers begin again in 1980, or some years later. */
const mostRounds = 2

/** Earlier dates are those of a clock that was not set: it begins in January 1980. */
const earliestMs = Date.UTC(1981, 0, 1)

/** A date that is corrected is at most this old. */
const oldestMs = 10 * 365.25 * dayMs

/** A receiver's clock may be somewhat ahead. */
const aheadMs = dayMs

/**
 * Adds 1,024 or 2,048 weeks to fixes whose receiver did not notice that the weeks began again: if that gives dates of
 * the last ten years that are not in the future. Returns the number of added weeks.
 */
function correctWeeks(fixes: readonly RecordedFix[], nowMs: number): number {
  const firstMs = fixes[0]?.atMs ?? 0
  const lastMs = fixes.at(-1)?.atMs ?? 0
  if (firstMs < earliestMs || firstMs > nowMs - oldestMs) return 0
  for (let rounds = 1; rounds <= mostRounds; rounds++) {
    const addedMs = rounds * roundMs
    if (firstMs + addedMs < nowMs - oldestMs || lastMs + addedMs > nowMs + aheadMs) continue
    for (const fix of fixes) fix.atMs += addedMs
    return rounds * 1024
  }
  return 0
}

/** Fewer fixes show nothing. */
const leastFixes = 20

/** More fixes than this in a minute cannot be distinguished if their times have no seconds. */
const mostInMinute = 5

/** No receiver measures so many positions with the same time. */
const mostAtOnce = 150

/** Throws RecordingRefused if the times were cut to minutes, or rounded so that many fixes have the same one. */
function requireSeconds(fixes: readonly RecordedFix[]) {
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
