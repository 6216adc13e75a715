import { expect, test } from 'vitest'
import { crossingNear } from './crossing.ts'

const gate = { point: { eastM: 0, northM: 0 }, direction: { eastM: 1, northM: 0 } }
const at = (atMs: number, eastM: number, speedMps: number) =>
  ({ atMs, eastM, northM: 0, speedMps, accuracyM: 5 }) as const

test('the car reaches the line earlier if it brakes for it', () => {
  const steady = crossingNear(gate, [at(0, -10, 20), at(1000, 10, 20)], 0)
  const braking = crossingNear(gate, [at(0, -10, 30), at(1000, 10, 10)], 0)
  expect(steady).toMatchObject({ atMs: 500, speedMps: 20 })
  expect(braking?.atMs).toBeCloseTo(381.97)
})

test('a position that jumps over the line without a speed is not a crossing', () => {
  expect(crossingNear(gate, [at(0, -10, 0), at(1000, 10, 0)], 0)).toBeNull()
})
