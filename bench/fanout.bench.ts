import { compareWithNaive } from './load/compare.ts'
import type { Bench } from './main.ts'

export const bench: Bench = {
  question: 'deliveries per CPU second to 1,000 watchers of one car at 10 Hz',
  run: options =>
    compareWithNaive({ cars: 1, watching: 1000, hz: 10, seconds: 5, historyS: 300 }, options),
}
