import type { Position } from '#contract/shared/geo.ts'

/** A position of a recording that is written. */
export interface WrittenFix extends Position {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly speedKmh: number | null
  readonly accuracyM: number | null
  readonly headingDeg: number | null
  /** Number of the lap it belongs to; null outside laps. */
  readonly lap: number | null
  /** The driver's name; absent if unknown. */
  readonly driver?: string
  /** True if `at` is when the position arrived: some tenths of a second after it was measured. */
  readonly atArrival?: boolean
}

/** Facts about a recording that its file names. */
export interface RecordingHead {
  /** One line of text. */
  readonly title: string
  readonly driver: string
  /** Name of the circuit; empty if it has none. */
  readonly circuit: string
  readonly startedAt: number
  /** Both ends of the start/finish line; null if it is not known. */
  readonly line: readonly [Position, Position] | null
}

/** Writes a file of one format in portions. Call `head` first, then `rows` in order of time, then `foot`. */
export interface RecordingWriter {
  head(): string
  rows(fixes: readonly WrittenFix[]): string
  foot(): string
}

/** After a gap of this length a new part of the recording begins: nothing is drawn across it. */
export const partGapMs = 10_000

/** Formats degrees with 7 decimals, which is about 1 cm. */
export function degrees(value: number): string {
  return value.toFixed(7)
}
