import type { RefusalDetail } from '#contract/shared/refusalDetails.ts'

/** The request to the thread. */
export interface ReadRequest {
  /** The uploaded bytes: text, or text compressed with gzip. */
  bytes: Uint8Array
  /** Start of the day (UTC) of a recording whose file has no date; null if it is not known. */
  dayMs: number | null
  nowMs: number
}

/** The fixes of a recording, in order of time, as columns that can be transferred. NaN replaces null. */
export interface RecordedFixes {
  /** SHA-256 of the unpacked text, and of the day if the file has none. */
  hash: Uint8Array
  at: Float64Array
  latitude: Float64Array
  longitude: Float64Array
  speedKmh: Float64Array
  accuracyM: Float64Array
  headingDeg: Float64Array
}

/** The fixes of a file, or why there are none. `keptPerSecond` is null if all were kept. */
export type ReadResponse =
  | { fixes: RecordedFixes; keptPerSecond: number | null }
  | { refused: RefusalDetail }
