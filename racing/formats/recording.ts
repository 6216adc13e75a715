import type { RacingFix } from '../fix.ts'
import { cleanFixes } from './clean/cleanFixes.ts'
import type { RecordedFix } from './clean/recordedFix.ts'
import { csvFixes } from './csv.ts'
import { gpxFixes } from './gpx.ts'
import { nmeaFixes } from './nmea.ts'
import { RecordingRefused } from './recordingRefused.ts'
import { vboFixes } from './vbo.ts'

/** A recording larger than this is refused: a day at 25 Hz is smaller. */
export const maxRecordingBytes = 512_000_000

/** Number of characters at the beginning of a file that are searched for its format and its date. */
export const headLetters = 20_000

/** How the text of each format is recognised. Every other text is read as a CSV file. */
const formats: [sign: RegExp, read: (text: string, monthFirst: boolean) => RecordedFix[]][] = [
  [/^\s*</, gpxFixes],
  [/^\[(?:header|column names)\]/im, vboFixes],
  // A log may begin in the middle of a sentence, or with other text.
  [/\$[A-Z]{2}(?:RMC|GGA|GSA|GSV|VTG|GLL|ZDA|TXT),|^\$P[A-Z]{3}/m, nmeaFixes],
]

/**
 * Reads the fixes of a recording, in order of time: VBO, GPX, NMEA 0183, RaceChrono CSV, or a CSV file with a header.
 * Dates such as 05/06/2025 have the day first, or the month with `monthFirst`. Throws RecordingRefused.
 */
export function readRecording(text: string, { monthFirst = false } = {}): RacingFix[] {
  const clean = text.slice(text.charCodeAt(0) === 0xfeff ? 1 : 0, endOf(text))
  const head = clean.slice(0, headLetters)
  const read = formats.find(([sign]) => sign.test(head))?.[1] ?? csvFixes
  // Logs of NMEA may have binary frames in between.
  if (read !== nmeaFixes && head.includes('\0'))
    throw new RecordingRefused('This is not a text file. Use a VBO, GPX, NMEA or CSV file.')
  const fixes = cleanFixes(read(clean, monthFirst))
  if (fixes.length === 0)
    throw new RecordingRefused(
      'The file contains no positions with a time. Export it with times and GPS positions.',
    )
  return fixes
}

/** Returns the length of the text without the NUL characters at its end, which remain if the logger lost power. */
function endOf(text: string): number {
  let end = text.length
  while (text[end - 1] === '\0') end -= 1
  return end
}

/** Returns the text of a file in UTF-8, or in UTF-16 with a byte order mark. */
export function textIn(bytes: Uint8Array): string {
  const mark = bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-16le'
  const isUtf16 = mark === 'utf-16be' || (bytes[0] === 0xff && bytes[1] === 0xfe)
  return new TextDecoder(isUtf16 ? mark : 'utf-8').decode(bytes)
}
