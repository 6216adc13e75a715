import { expect, test } from 'vitest'
import { doubleBooked } from './doubleBooked.ts'

const stint = (driver: string | null, fromMs: number, toMs: number, state = 'next' as const) => {
  return { driver, fromMs, toMs, state }
}

test('a driver who is in two cars at once is found, with the first time at which he is', () => {
  const own = [stint('ana', 0, 10), stint('ben', 12, 20), stint('ana', 22, 30)]
  const others = [
    { carId: '17', stints: [stint('ben', 0, 10), stint('ana', 10, 20), stint('ben', 15, 25)] },
    { carId: '44', stints: [stint('ana', 29, 40), stint(null, 0, 29)] },
  ]
  expect(doubleBooked(own, others)).toEqual([
    { driver: 'ben', carId: '17', fromMs: 15 },
    { driver: 'ana', carId: '44', fromMs: 29 },
  ])
  expect(doubleBooked([stint(null, 0, 40)], others)).toEqual([])
})
