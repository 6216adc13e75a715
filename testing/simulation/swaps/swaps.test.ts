import { expect, test } from 'vitest'
import { runSwaps } from './runSwaps.ts'

const stops = 10

/** Everything below happens in these days. `npm run simulate -- --race 24 --swaps` runs others. */
const seeds = [2, 14, 30, 65, 112]

/** Events that have to happen in these days; otherwise they were not compared. */
const kinds = [
  'both phones on',
  'one phone in the garage',
  'phone in the other car',
  'one of two phones leaves',
  'phone in the car again',
  'new session',
  'session by mistake',
  'session ended in the car',
  'dies in a lap',
  'switched on in a lap',
  'dead zone',
  'steps with late positions',
  'steps with late positions of two phones',
  'stable steps',
  'corrections',
  'wrong decisions',
]

test('the race of a car is the true one, whichever phones are in it', () => {
  const days = seeds.map(seed => ({ seed, ...runSwaps(seed, stops) }))
  expect(
    days.flatMap(({ seed, violations }) => violations.map(violation => ({ seed, violation }))),
  ).toEqual([])
  const missing = kinds.filter(kind => !days.some(({ counts }) => (counts[kind] ?? 0) > 0))
  expect(missing).toEqual([])
}, 60_000)
