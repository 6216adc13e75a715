import { expect, test } from 'vitest'
import { kartTrack, zolderCircuit } from '../race/simulatedCircuits.ts'
import { runSwaps } from './runSwaps.ts'

const stops = 10

/**
 * Everything below happens in these days. `npm run simulate -- --race 24 --swaps` runs others. On the 388th a person corrects
 * at once which phone is in the car.
 */
const days = [
  {
    name: 'a circuit',
    circuit: zolderCircuit,
    seeds: [2, 14, 30, 65, 66, 112, 388, 2108, 2277, 9036, 9135, 9160, 9169, 9185, 9189],
  },
  {
    name: 'a kart track with laps of 21 s',
    circuit: kartTrack,
    seeds: [
      3, 8, 11, 13, 16, 48, 62, 66, 127, 172, 180, 202, 206, 207, 215, 257, 269, 322, 326, 328, 341,
      3303, 9044, 9127, 9189, 9224,
    ],
  },
]

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

test.each(days)(
  'on $name, the race of a car is the true one, whichever phones are in it',
  ({ circuit, seeds }) => {
    const all = seeds.map(seed => ({ seed, ...runSwaps(seed, stops, circuit) }))
    expect(
      all.flatMap(({ seed, violations }) => violations.map(violation => ({ seed, violation }))),
    ).toEqual([])
    const missing = kinds.filter(kind => !all.some(({ counts }) => (counts[kind] ?? 0) > 0))
    expect(missing).toEqual([])
  },
  60_000,
)
