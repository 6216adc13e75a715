import type { RefusalDetail } from '#contract/shared/refusalDetails.ts'
import type { Recording } from '#racing/formats/recording.ts'

/** The argument of the process: what it reads from its input. */
export type ReaderTask =
  | ({ reads: 'recording' } & Omit<ReadRequest, 'bytes'>)
  | { reads: 'circuit' }

export interface ReadRequest {
  /** The uploaded bytes: text, or text compressed with gzip. */
  bytes: Uint8Array
  /** Start of the day (UTC) of a recording whose file has no date or an ambiguous one; null if it is not known. */
  dayStartMs: number | null
  nowMs: number
}

/** The fixes of a recording, in order of time, as columns. NaN replaces null. */
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

interface Facts extends Pick<Recording, 'line' | 'addedWeeks'> {
  /** The number of fixes of each drive on one circuit in one direction. */
  drives: number[]
  /** Null if all fixes were kept. */
  keptPerSecond: number | null
}

/** The fixes of a file, or why there are none: `reason` describes what is wrong, and quotes the file. */
export type ReadResponse =
  | ({ fixes: RecordedFixes } & Facts)
  | { refused: RefusalDetail; reason?: string }

const newline = 10

const columns = ['at', 'latitude', 'longitude', 'speedKmh', 'accuracyM', 'headingDeg'] as const

/** The first line of an encoded response. The columns follow, each with `count` numbers of 8 bytes. */
type Header =
  | ({ count: number; hash: string } & Facts)
  | Extract<ReadResponse, { refused: unknown }>

/** Encodes the response for a recording, in parts. */
export function encodeResponse(response: ReadResponse): Uint8Array[] {
  if ('refused' in response) return [lineOf(response)]
  const { fixes, ...facts } = response
  const hash = Buffer.from(fixes.hash).toString('hex')
  return [
    lineOf({ count: fixes.at.length, hash, ...facts }),
    ...columns.map(name => new Uint8Array(fixes[name].buffer)),
  ]
}

function lineOf(header: Header): Uint8Array {
  return Buffer.from(`${JSON.stringify(header)}\n`)
}

/** Decodes a whole response of `encodeResponse`. */
export function decodeResponse(bytes: Uint8Array): ReadResponse {
  const end = bytes.indexOf(newline)
  const header: Header = JSON.parse(Buffer.from(bytes.subarray(0, end)).toString())
  if ('refused' in header) return header
  const { count, hash, ...facts } = header
  // Copied, because numbers of 8 bytes must begin at a multiple of 8.
  const all = new Float64Array(new Uint8Array(bytes.subarray(end + 1)).buffer)
  const [at, latitude, longitude, speedKmh, accuracyM, headingDeg] = columns.map((_, index) =>
    all.subarray(index * count, (index + 1) * count),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]
  const fixes = { at, latitude, longitude, speedKmh, accuracyM, headingDeg }
  const read = { hash: new Uint8Array(Buffer.from(hash, 'hex')), ...fixes }
  return { fixes: read, ...facts }
}
