import type { Lap } from '#contract/laps.ts'

/** A whole lap of this many seconds, seen at both crossings and without a yellow, unless `values` differ. */
export function lap(number: number, seconds: number, values: Partial<Lap> = {}): Lap {
  return {
    number,
    startedAt: number * 100_000,
    timeMs: seconds * 1000,
    plusMinusMs: 200,
    kind: 'full',
    isSeen: true,
    yellow: false,
    yellowMessage: null,
    marked: false,
    ...values,
  }
}
