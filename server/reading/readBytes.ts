import { createHash, type Hash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { topSpeedKmh } from '#contract/shared/bounds.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import { clockToleranceMs } from '#contract/shared/liveRules.ts'
import {
  maxRecordedFixes,
  maxRecordingMs,
  maxUnpackedBytes,
  recordedRates,
} from '#contract/shared/recordingRules.ts'
import type { RefusalDetail } from '#contract/shared/refusalDetails.ts'
import { drivesIn } from '#racing/circuits/drives.ts'
import type { RacingFix } from '#racing/fix.ts'
import { ambiguousDayIn } from '#racing/formats/ambiguousDay.ts'
import { headLetters, type Recording, recordingIn } from '#racing/formats/recording.ts'
import { RecordingRefused } from '#racing/formats/recordingRefused.ts'
import { textIn } from '#racing/formats/textIn.ts'
import type { ReadRequest, ReadResponse } from './readMessages.ts'

/** Times up to this one count from the start of the recording, or from midnight: the file has no date. */
const latestWithoutDateMs = 3 * dayMs

/** No recording of a car is older. */
const earliestMs = Date.UTC(1990, 0, 1)

/** Reads an uploaded recording, within its limits. Never throws because of the file's content. */
export function readBytes({ bytes, dayStartMs, nowMs }: ReadRequest): ReadResponse {
  const content = contentOf(bytes)
  if ('refused' in content) return content
  const { hash, text } = content
  const ambiguous = ambiguousDayIn(text.slice(0, headLetters))
  const isGivenDay = ambiguous !== null && dayStartMs === ambiguous.monthFirstMs
  let read = fixesIn(text, { monthFirst: isGivenDay, nowMs })
  if ('refused' in read) return read
  const isMonthFirst =
    isGivenDay || (ambiguous !== null && dayStartMs === null && hasWrongDates(read.fixes, nowMs))
  if (isMonthFirst && !isGivenDay) read = fixesIn(text, { monthFirst: true, nowMs })
  if ('refused' in read) return read
  const { kept, perSecond } = thinned(read.fixes)
  const monthFirstMs = isMonthFirst ? ambiguous.monthFirstMs : null
  const moved = dated(kept, { dayStartMs, monthFirstMs })
  if (!moved) return { refused: 'recording-undated' }
  const { fixes } = moved
  // On another day it is another recording.
  if (moved.dayStartMs !== null) hash.update(`day ${moved.dayStartMs}`)
  const refused = refusalOf(fixes, nowMs)
  if (refused) return { refused }
  const column = (value: (fix: RacingFix) => number | null) =>
    Float64Array.from(fixes, fix => value(fix) ?? Number.NaN)
  return {
    fixes: {
      hash: new Uint8Array(hash.digest()),
      at: column(({ atMs }) => Math.round(atMs)),
      latitude: column(({ latitude }) => latitude),
      longitude: column(({ longitude }) => longitude),
      speedKmh: column(({ speedMps }) => wholeKmh(speedMps)),
      accuracyM: column(({ accuracyM }) => accuracyM),
      headingDeg: column(({ headingDeg }) => (headingDeg === 360 ? 0 : headingDeg)),
    },
    line: read.line,
    drives: drivesIn(fixes).map(({ fixes: driven }) => driven.length),
    keptPerSecond: perSecond,
    addedWeeks: read.addedWeeks,
  }
}

type Refused = Extract<ReadResponse, { refused: unknown }>

/** Returns the text of a file, and its hash. Its bytes are released before the text is read. */
function contentOf(bytes: Uint8Array): { hash: Hash; text: string } | Refused {
  const content = unpacked(bytes)
  if ('refused' in content) return content
  return { hash: createHash('sha256').update(content), text: textIn(content) }
}

/** Decompresses gzip. */
function unpacked(bytes: Uint8Array): Uint8Array | Refused {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  if (!isGzip) return bytes.length <= maxUnpackedBytes ? bytes : { refused: 'recording-too-large' }
  try {
    return gunzipSync(bytes, { maxOutputLength: maxUnpackedBytes })
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    return { refused: isTooLarge ? 'recording-too-large' : 'recording-unreadable' }
  }
}

function fixesIn(
  text: string,
  options: { monthFirst: boolean; nowMs: number },
): Recording | Refused {
  try {
    return recordingIn(text, options)
  } catch (error) {
    if (!(error instanceof RecordingRefused)) throw error
    const refused = error.lacksTimes ? 'recording-without-times' : 'recording-unreadable'
    return { refused, reason: error.message }
  }
}

interface Thinned {
  kept: RacingFix[]
  /** Null if all fixes were kept. */
  perSecond: number | null
}

/** Thins fixes to the highest rate that fits the limit, or to the lowest rate if none does. */
function thinned(fixes: readonly RacingFix[]): Thinned {
  let thin: Thinned = { kept: [], perSecond: null }
  for (const rate of recordedRates) {
    const kept = atRate(fixes, rate)
    thin = { kept, perSecond: kept.length < fixes.length ? rate : null }
    if (kept.length <= maxRecordedFixes) break
  }
  return thin
}

/** Keeps the first fix in each part of a second. */
function atRate(fixes: readonly RacingFix[], perSecond: number): RacingFix[] {
  const everyMs = 1000 / perSecond
  let lastSlot = Number.NaN
  return fixes.filter(({ atMs }) => {
    const slot = Math.floor(atMs / everyMs)
    if (slot === lastSlot) return false
    lastSlot = slot
    return true
  })
}

/** True if dates are in the future or too far apart. */
function hasWrongDates(fixes: readonly RacingFix[], nowMs: number): boolean {
  const refused = refusalOf(fixes, nowMs)
  return refused === 'recording-future' || refused === 'recording-too-long'
}

interface Dated {
  fixes: RacingFix[]
  /** Start of the day (UTC) that was chosen for the fixes; null if the file leaves no choice. */
  dayStartMs: number | null
}

/**
 * Adds the given day to a recording without a date. `monthFirstMs` is the first day of a recording whose ambiguous date
 * was read with the month first. Returns null if a day is needed and none was given.
 */
function dated(
  fixes: RacingFix[],
  { dayStartMs, monthFirstMs }: { dayStartMs: number | null; monthFirstMs: number | null },
): Dated | null {
  const firstMs = fixes[0]?.atMs ?? Number.NaN
  if (firstMs <= latestWithoutDateMs) {
    if (dayStartMs === null) return null
    return { fixes: fixes.map(fix => ({ ...fix, atMs: fix.atMs + dayStartMs })), dayStartMs }
  }
  // In the time zone of the logger it may be another day. A date further away is not the date of the positions.
  const isChosen = monthFirstMs !== null && Math.abs(firstMs - monthFirstMs) <= 2 * dayMs
  return { fixes, dayStartMs: isChosen ? monthFirstMs : null }
}

function refusalOf(fixes: readonly RacingFix[], nowMs: number): RefusalDetail | null {
  const first = fixes[0]?.atMs ?? 0
  const last = fixes.at(-1)?.atMs ?? 0
  if (first < earliestMs) return 'recording-unreadable'
  if (last > nowMs + clockToleranceMs) return 'recording-future'
  return last - first > maxRecordingMs ? 'recording-too-long' : null
}

function wholeKmh(mps: number | null): number | null {
  const kmh = mps === null ? null : Math.round(mps * kmhPerMps)
  return kmh !== null && kmh <= topSpeedKmh ? kmh : null
}
