import { maxAccuracyM } from '#contract/shared/bounds.ts'
import type { RacingFix } from '../fix.ts'
import { csvFixes, raceChronoFixes } from './csv.ts'
import { gpxFixes } from './gpx.ts'
import { nmeaFixes } from './nmea.ts'
import { RecordingRefused } from './recordingRefused.ts'
import { vboFixes } from './vbo.ts'

/** A recording larger than this is refused: a day at 25 Hz is smaller. */
export const maxRecordingBytes = 512 * 1024 * 1024

/** Faster than any car on a circuit. */
const fastestMps = 150

/** How the text of each format begins. Every other text is read as a plain CSV file. */
const formats: [start: RegExp, read: (text: string) => RacingFix[]][] = [
  [/^This file is created using RaceChrono/, raceChronoFixes],
  [/^\s*</, gpxFixes],
  [/^\$/, nmeaFixes],
  [/^(File created|\[header\])/i, vboFixes],
]

/**
 * Reads the fixes of a recording, in order of time: VBO, GPX 1.1, NMEA 0183, RaceChrono CSV, or a plain CSV file.
 * Fixes whose time does not increase are left out. Throws RecordingRefused.
 */
export function readRecording(text: string): RacingFix[] {
  const clean = text.replace(/^\uFEFF/, '')
  const read = formats.find(([start]) => start.test(clean))?.[1] ?? csvFixes
  const fixes = read(clean).filter(isOnEarth).map(plausible)
  let lastMs = Number.NEGATIVE_INFINITY
  const inOrder = fixes.filter(({ atMs }) => {
    if (atMs <= lastMs) return false
    lastMs = atMs
    return true
  })
  if (inOrder.length === 0) throw new RecordingRefused('The file contains no positions.')
  return inOrder
}

/** Replaces values that no car and no receiver has by null. */
function plausible(fix: RacingFix): RacingFix {
  const { speedMps, headingDeg, accuracyM } = fix
  return {
    ...fix,
    speedMps: within(speedMps, fastestMps),
    headingDeg: within(headingDeg, 360),
    accuracyM: within(accuracyM, maxAccuracyM),
  }
}

function within(value: number | null, most: number): number | null {
  return value !== null && value >= 0 && value <= most ? value : null
}

function isOnEarth({ latitude, longitude, atMs }: RacingFix): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && Number.isFinite(atMs)
}
