import { maxAccuracyM } from '#contract/shared/bounds.ts'
import { distanceM } from '#contract/shared/places/geo.ts'
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

/** How the text of each format is recognised. Every other text is read as a plain CSV file. */
const formats: [start: RegExp, read: (text: string) => RacingFix[]][] = [
  [/^\s*This file is created using RaceChrono/, raceChronoFixes],
  [/^\s*</, gpxFixes],
  [/^\s*(File created|\[header\])/i, vboFixes],
  // A log may begin in the middle of a sentence.
  [/^[^\n]{0,200}\n?\$[A-Z]{5},|^\$/, nmeaFixes],
]

/**
 * Reads the fixes of a recording, in order of time: VBO, GPX 1.1, NMEA 0183, RaceChrono CSV, or a plain CSV file.
 * Throws RecordingRefused.
 */
export function readRecording(text: string): RacingFix[] {
  const clean = text.replace(/^\uFEFF/, '')
  if (clean.includes('\0')) throw new RecordingRefused('The file is not a text file.')
  const read = formats.find(([start]) => start.test(clean))?.[1] ?? csvFixes
  const all = read(clean).filter(isOnEarth).map(plausible)
  const fixes = withoutJumps(inOrder(withoutWrongTimes(all)))
  if (fixes.length === 0) throw new RecordingRefused('The file contains no positions.')
  return fixes
}

/** Returns the text of a file in UTF-8, or in UTF-16 with a byte order mark. */
export function textIn(bytes: Uint8Array): string {
  const mark = bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-16le'
  const isUtf16 = mark === 'utf-16be' || (bytes[0] === 0xff && bytes[1] === 0xfe)
  return new TextDecoder(isUtf16 ? mark : 'utf-8').decode(bytes)
}

/** Fixes that are late by up to the first time are sorted. A larger step back begins another drive, after a pause. */
const disorderMs = 60_000
const pauseMs = 120_000

/** Sorts fixes by time, and drops those with the time of another one. */
function inOrder(fixes: readonly RacingFix[]): RacingFix[] {
  let shiftMs = 0
  let lastMs = Number.NEGATIVE_INFINITY
  const ordered = fixes.map(fix => {
    if (fix.atMs + shiftMs < lastMs - disorderMs) shiftMs = lastMs + pauseMs - fix.atMs
    lastMs = fix.atMs + shiftMs
    return { ...fix, atMs: lastMs }
  })
  ordered.sort((one, other) => one.atMs - other.atMs)
  return ordered.filter(({ atMs }, index) => atMs !== ordered[index - 1]?.atMs)
}

/** Drops single fixes whose time is far from that of both neighbours. */
function withoutWrongTimes(fixes: readonly RacingFix[]): RacingFix[] {
  return fixes.filter(({ atMs }, index) => {
    const before = fixes[index - 1]
    const after = fixes[index + 1]
    if (!before || !after || Math.abs(after.atMs - before.atMs) > disorderMs) return true
    return Math.abs(atMs - before.atMs) <= disorderMs
  })
}

/** A receiver's errors are smaller than this. */
const largestJumpM = 500

/** Drops fixes that are farther from the one before than a car can drive: receivers without reception log zeros. */
function withoutJumps(fixes: readonly RacingFix[]): RacingFix[] {
  let last: RacingFix | undefined
  let dropped = 0
  return fixes.filter(fix => {
    const forS = last ? (fix.atMs - last.atMs) / 1000 : 0
    const isJump = last && distanceM(last, fix) > fastestMps * forS + largestJumpM
    dropped = isJump ? dropped + 1 : 0
    // Several fixes at the new place show that the old one was wrong.
    if (isJump && dropped < jumpedFixes) return false
    last = fix
    return true
  })
}

/** This many fixes after a jump show that it was real. */
const jumpedFixes = 5

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
