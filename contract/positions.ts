import { z } from 'zod'
import { read } from './endpoint.ts'
import { EpochMs, QueryEpochMs, SessionId } from './ids.ts'
import {
  fullCircleDeg,
  maxAccuracyM,
  maxLatitude,
  maxLongitude,
  topSpeedKmh,
} from './shared/bounds.ts'
import { pages } from './shared/storedBounds.ts'

/**
 * One GPS reading. `at` is when the receiver took it, by the server's clock as the phone knows it. The optional
 * fields are absent in fixes of older builds.
 */
export const Fix = z.object({
  at: EpochMs,
  latitude: z.number().min(-maxLatitude).max(maxLatitude).nullable(),
  longitude: z.number().min(-maxLongitude).max(maxLongitude).nullable(),
  speedKmh: z.int().min(0).max(topSpeedKmh).nullable(),
  accuracyM: z.number().min(0).max(maxAccuracyM).nullable(),
  /** Direction over the ground: 0 is north, 90 is east. Null at standstill, or if it is unknown. */
  headingDeg: z.number().min(0).lt(fullCircleDeg).nullable().optional(),
  /** The receiver's time was not usable: `at` is when the reading arrived, up to some tenths of a second later. */
  atArrival: z.literal(true).optional(),
})
export type Fix = z.infer<typeof Fix>

/** Maximum number of positions in one page. */
export const positionsPerPage = pages.positions

export const PositionPage = z.object({
  /** Times of the first and last stored position of the session; null without any. */
  span: z.object({ first: EpochMs, last: EpochMs }).nullable(),
  /** Differences to the position before: see `PositionColumns`. */
  at: z.array(z.int()),
  latitudeE6: z.array(z.int()),
  longitudeE6: z.array(z.int()),
  speedKmh: z.array(z.int().nullable()),
  /** `from` of the next page; null if this is the last one before `until`. */
  next: EpochMs.nullable(),
})
export type PositionPage = z.infer<typeof PositionPage>

/** A recording that was stored as a session. */
export const ImportedRecording = z.object({
  sessionId: SessionId,
  /** Sessions of further drives in the file: on another circuit, or in the other direction. */
  moreSessionIds: z.array(SessionId),
  /** Number of positions in the file. */
  positions: z.int(),
  /** False if the same recording had been imported before. */
  isNew: z.boolean(),
  /** Positions stored by this import: all of a new recording, or those that an interrupted import had not stored. */
  added: z.int(),
  /** False if it is older than the server stores positions: they are deleted within an hour, its laps stay. */
  positionsStay: z.boolean(),
  /** Positions kept of each second, if the file has more than can be stored. Null if all were kept. */
  keptPerSecond: z.int().nullable(),
  /** Weeks added to the dates, because the receiver's count of weeks had begun again (it has 10 bits). Else 0. */
  addedWeeks: z.int(),
  /** True if an earlier import of the recording chose lap timing differently: the newest choice counts. */
  lapTimingChanged: z.boolean(),
})
export type ImportedRecording = z.infer<typeof ImportedRecording>

export const positions = {
  list: read({
    auth: 'any-login',
    scopes: ['read'],
    summary: `A page of ${positionsPerPage} stored positions of a session, in order of time. Deleted ones are not returned.`,
    input: z.object({
      sessionId: SessionId,
      /** Only positions from this time on. Without it, from the first one. */
      from: QueryEpochMs.optional(),
      /** Only positions before this time. */
      until: QueryEpochMs.optional(),
    }),
    output: PositionPage,
  }),
}
