import { expect, test } from 'vitest'
import { drivingSessions } from './drivingSessions.ts'

const now = 10_000_000

/** A session of a car, by default with a phone that is in contact and has not crossed the line. */
const session = (
  number: string | null,
  startedAt: number,
  phone: { lastDriverContactAt?: number | null; crossedAt?: number } = {},
) => ({
  car: number === null ? null : { id: number, number },
  startedAt,
  lastDriverContactAt: now,
  crossedAt: null,
  ...phone,
})

test('of a named car only the newest session is driven, in the given order', () => {
  const failed = session('17', 1000)
  const other = session('44', 4000)
  const next = session('17', 3000)
  expect(drivingSessions([failed, next, other])).toEqual([next, other])
  expect(drivingSessions([other, next, failed])).toEqual([other, next])
})

test('while the next phone waits in the pits, the one that drives counts', () => {
  const driving = session('17', 1000, { crossedAt: now - 30_000 })
  const waiting = session('17', 3000)
  expect(drivingSessions([driving, waiting])).toEqual([driving])
  // The next phone has left the pits, and the first one is in the garage.
  const out = session('17', 3000, { crossedAt: now - 1000 })
  expect(drivingSessions([driving, out])).toEqual([out])
})

test('a failed phone does not count, even if the next one has not crossed the line', () => {
  const failed = session('17', 1000, {
    crossedAt: now - 400_000,
    lastDriverContactAt: now - 301_000,
  })
  const next = session('17', 3000)
  expect(drivingSessions([failed, next])).toEqual([next])
  expect(drivingSessions([{ ...failed, lastDriverContactAt: null }, next])).toEqual([next])
  // It is back, but the next one was in the car last.
  const back = { ...failed, lastDriverContactAt: now }
  const out = { ...next, crossedAt: now - 20_000 }
  expect(drivingSessions([back, out])).toEqual([out])
})

test('of two phones in one car the newest one counts, whichever crosses the line first', () => {
  const one = session('17', 1000, { crossedAt: now - 1000 })
  const two = session('17', 3000, { crossedAt: now - 1500 })
  expect(drivingSessions([one, two])).toEqual([two])
  // The second one was taken out of the car.
  const taken = { ...two, crossedAt: now - 100_000 }
  expect(drivingSessions([one, taken])).toEqual([one])
})

test('sessions without a car are all driven', () => {
  const sessions = [session(null, 1000), session(null, 2000)]
  expect(drivingSessions(sessions)).toEqual(sessions)
  expect(drivingSessions([])).toEqual([])
})
