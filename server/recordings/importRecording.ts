import { createHash } from 'node:crypto'
import type { UserId } from '#contract/ids.ts'
import type { ImportedRecording } from '#contract/positions.ts'
import { Refusal } from '#contract/refusal.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { dayMs, hourMs } from '#contract/shared/durations.ts'
import type { AppContext } from '../context.ts'
import type { Limit } from '../rateLimit/rateLimits.ts'
import { readInProcess } from '../reading/readInProcess.ts'
import type { ReadResponse, RecordedFixes } from '../reading/readMessages.ts'
import type { LapTimingContext } from '../sessions/lapTiming.ts'
import { type ImportChoices, type StoredDrive, storeDrive } from './storeDrive.ts'

/** Seconds of reading that a person may use in an hour. The largest files take 20 s each. */
export const maxReadingSeconds = 180

/** Positions that a person may import in a day. */
export const maxImportedPerDay = 1_000_000

type Context = LapTimingContext & Pick<AppContext, 'clock' | 'config' | 'log' | 'rateLimits'>

interface Upload extends ImportChoices {
  /** Start of the day (UTC) of a recording without a date or with an ambiguous one; null if it is not known. */
  dayStartMs: number | null
  bytes: Uint8Array
  /** Stops reading: nothing is stored yet. */
  reading?: AbortSignal | undefined
  /** Stops storing. Importing the same file again stores the missing positions. */
  storing?: AbortSignal | undefined
}

/**
 * Stores a recording as an ended session of the user who uploads it, its driver, or as one for each drive on another
 * circuit or in the other direction. Its laps are computed like those of other sessions. Importing the same recording
 * again returns the same session, with the new choice of lap timing, and stores positions that are missing because an
 * earlier import failed. Refuses with `not-a-member`, `view-only`, `too-many`, and `invalid-input` with the reason.
 */
export async function importRecording(
  context: Context,
  { storing, ...upload }: Upload,
): Promise<ImportedRecording> {
  const { clock, config, rateLimits } = context
  const { userId } = upload
  const { fixes, line, drives, keptPerSecond, addedWeeks } = await readUpload(context, upload)
  const imported: Limit = {
    what: 'import-fixes',
    key: userId,
    limit: maxImportedPerDay,
    windowMs: dayMs,
    cost: fixes.at.length,
  }
  rateLimits.require(imported)
  const oldest = new Date(clock.now() - config.historyDays * dayMs)
  const first = fixes.at[0] ?? 0
  let isStored = false
  try {
    const stored: StoredDrive[] = []
    for (const drive of drivesOf(fixes, { drives, name: upload.name })) {
      stored.push(await storeDrive(context, { ...upload, ...drive, line, oldest, storing }))
      isStored ||= stored.some(({ isNew }) => isNew)
    }
    const [session, ...more] = stored
    if (!session) throw new Error('A recording has at least one drive.')
    return {
      sessionId: session.id,
      moreSessionIds: more.map(({ id }) => id),
      positions: fixes.at.length,
      isNew: session.isNew,
      added: stored.reduce((sum, { added }) => sum + added, 0),
      positionsStay: first >= oldest.getTime(),
      keptPerSecond,
      addedWeeks,
      lapTimingChanged: stored.some(({ lapTimingChanged }) => lapTimingChanged),
    }
  } finally {
    // A refused, failed or repeated import does not count.
    if (isStored) rateLimits.charge(imported)
  }
}

/** Returns the drives of a recording, each with its own fixes and hash; with several drives their names are numbered. */
function drivesOf(
  fixes: RecordedFixes,
  { drives, name }: { drives: readonly number[]; name: string },
): { fixes: RecordedFixes; name: string }[] {
  if (drives.length === 1) return [{ fixes, name }]
  let until = 0
  return drives.map((count, index) => {
    const from = until
    until += count
    const number = ` ${index + 1}`
    const part = (column: Float64Array) => column.subarray(from, until)
    return {
      name: name.slice(0, maxNameLetters - number.length) + number,
      fixes: {
        hash: index === 0 ? fixes.hash : hashOfDrive(fixes.hash, index),
        at: part(fixes.at),
        latitude: part(fixes.latitude),
        longitude: part(fixes.longitude),
        speedKmh: part(fixes.speedKmh),
        accuracyM: part(fixes.accuracyM),
        headingDeg: part(fixes.headingDeg),
      },
    }
  })
}

function hashOfDrive(recording: Uint8Array, index: number): Uint8Array {
  return createHash('sha256').update(recording).update(`drive ${index}`).digest()
}

/** Refuses with `too-many` a person whose files have taken too long to read in this hour. */
export function requireReadingTime({ rateLimits }: Pick<Context, 'rateLimits'>, userId: UserId) {
  rateLimits.require(readingTime(userId))
}

function readingTime(userId: UserId): Limit {
  return { what: 'import-reading', key: userId, limit: maxReadingSeconds, windowMs: hourMs }
}

/** Reads the file, and counts the time, also if it is refused. */
async function readUpload(
  context: Context,
  { userId, bytes, dayStartMs, reading }: Upload,
): Promise<Extract<ReadResponse, { fixes: unknown }>> {
  const { clock, log, rateLimits } = context
  const startMs = clock.monotonicMs()
  try {
    const request = { bytes, dayStartMs, nowMs: clock.now() }
    const read = await readInProcess(request, { log, signal: reading })
    if ('refused' in read)
      throw new Refusal('invalid-input', { detail: read.refused, reason: read.reason })
    return read
  } finally {
    const cost = Math.ceil((clock.monotonicMs() - startMs) / 1000)
    rateLimits.charge({ ...readingTime(userId), cost })
  }
}
