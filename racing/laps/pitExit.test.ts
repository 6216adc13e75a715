import { expect, test } from 'vitest'
import { PitExit, racingKmhOf } from './pitExit.ts'

const followed = (speedsKmh: readonly number[], limitKmh: number | null = 60) => {
  const exit = new PitExit()
  return speedsKmh.map((kmh, second) => {
    exit.add(second * 1000, kmh, racingKmhOf(limitKmh))
    return exit.leftAtMs
  })
}

test('3 s at 15 km/h above the limit end a stop at the first of them', () => {
  const left = followed([0, 60, 74, 75, 90, 110, 130, 0])
  expect(left).toEqual([null, null, null, null, null, null, 3000, 3000])
})

test('a shorter time or a lower speed does not end a stop', () => {
  expect(followed([75, 80, 80, 74, 75, 80, 80])).toEqual(Array(7).fill(null))
  expect(followed([80, 80, 80, 80, 80, 80, 80], null)).toEqual(Array(7).fill(null))
})
