import { compareWithNaive } from './load/compare.ts'
import type { Bench } from './main.ts'

export const bench: Bench = {
  question:
    'deliveries per CPU second of 1,000 cars at 1 Hz with 4 watchers each, recorded and timed',
  run: options =>
    compareWithNaive({ cars: 1000, watching: 4, hz: 1, seconds: 8, historyS: 130 }, options),
}
