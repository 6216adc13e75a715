import { expect, test } from 'vitest'
import { drivingSessions } from './drivingSessions.ts'

const session = (number: string | null, startedAt: number) => ({
  car: number === null ? null : { id: number, number },
  startedAt,
})

test('of a named car only the newest session is driven, in the given order', () => {
  const failed = session('17', 1000)
  const other = session('44', 4000)
  const next = session('17', 3000)
  expect(drivingSessions([failed, next, other])).toEqual([next, other])
  expect(drivingSessions([other, next, failed])).toEqual([other, next])
})

test('sessions without a car are all driven', () => {
  const sessions = [session(null, 1000), session(null, 2000)]
  expect(drivingSessions(sessions)).toEqual(sessions)
  expect(drivingSessions([])).toEqual([])
})
