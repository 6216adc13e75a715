import type { Lap } from '#contract/laps.ts'
import { exampleLap } from './exampleRace.ts'

/** A whole lap of this many seconds, seen at both crossings and without a yellow, unless `values` differ. */
export function lap(number: number, seconds: number, values: Partial<Lap> = {}): Lap {
  const [startedAt, timeMs] = [number * 100_000, seconds * 1000]
  return exampleLap(number, { startedAt, timeMs, plusMinusMs: 200, kind: 'full', ...values })
}
