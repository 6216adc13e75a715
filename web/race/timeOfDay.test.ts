import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { timeNear, timeOfDay, timeWithin } from './timeOfDay.ts'

const at = (day: number, time: [number, number, number]) =>
  new Date(2026, 4, day, ...time).getTime()

test('a time is read as it is shown', () => {
  const start = at(2, [14, 0, 3])
  expect(timeOfDay(start)).toBe('14:00:03')
  expect(timeNear(timeOfDay(start), start + 3_600_000)).toBe(start)
  expect(timeNear('14:00', start)).toBe(at(2, [14, 0, 0]))
  expect(timeNear(' 9.05.07 ', start)).toBe(at(2, [9, 5, 7]))
})

test('a time is read without its colons', () => {
  const nearAt = at(2, [10, 0, 0])
  for (const text of ['0920', '920']) expect(timeNear(text, nearAt)).toBe(at(2, [9, 20, 0]))
  for (const text of ['092003', '92003']) expect(timeNear(text, nearAt)).toBe(at(2, [9, 20, 3]))
})

test('a correction across midnight stays near the start', () => {
  expect(timeNear('23:59:50', at(3, [0, 0, 10]))).toBe(at(2, [23, 59, 50]))
  expect(timeNear('0:00:10', at(2, [23, 59, 50]))).toBe(at(3, [0, 0, 10]))
})

test('a time in a day of racing is the one inside it', () => {
  const race = { from: at(2, [15, 0, 0]), to: at(3, [14, 4, 30]) }
  expect(timeWithin('15:30', race)).toBe(at(2, [15, 30, 0]))
  expect(timeWithin('23:00', race)).toBe(at(2, [23, 0, 0]))
  expect(timeWithin('14:04:30', race)).toBe(race.to)
  // Outside: the time nearest to the end, for the refusal.
  expect(timeWithin('14:05', race)).toBe(at(3, [14, 5, 0]))
  expect(timeWithin('25:00', race)).toBeNull()
})

test('a time in the first hours of a day of racing is not taken for a later one', () => {
  const early = { from: at(2, [15, 0, 0]), to: at(2, [15, 20, 0]) }
  expect(timeWithin('14:59', early)).toBe(at(2, [14, 59, 0]))
  expect(timeWithin('15:10', early)).toBe(at(2, [15, 10, 0]))
})

test.each(['', '14', '24:00', '14:60', '14:00:60', 'noon', '14:0'])('%j is refused', text => {
  expect(timeNear(text, at(2, [14, 0, 0]))).toBeNull()
})

describe('in the nights in which the clocks change', () => {
  beforeEach(() => {
    vi.stubEnv('TZ', 'Europe/Brussels')
  })
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  test.each([
    ['23:30', '2026-03-29T00:30+01:00', '2026-03-28T23:30+01:00'],
    ['04:30', '2026-03-28T22:30+01:00', '2026-03-29T04:30+02:00'],
    ['23:30', '2026-10-25T00:30+02:00', '2026-10-24T23:30+02:00'],
    ['00:30', '2026-10-25T22:30+01:00', '2026-10-26T00:30+01:00'],
    // This hour comes twice.
    ['02:30', '2026-10-25T02:10+02:00', '2026-10-25T02:30+02:00'],
    ['02:30', '2026-10-25T02:40+01:00', '2026-10-25T02:30+01:00'],
  ])('%s near %s is %s', (text, near, expected) => {
    expect(timeNear(text, Date.parse(near))).toBe(Date.parse(expected))
  })

  test.each([
    ['02:30', '2026-03-29T04:00+02:00'],
    ['2:00:00', '2026-03-29T01:59+01:00'],
    ['02:59:59', '2026-03-28T23:00+01:00'],
  ])('%s near %s does not exist', (text, near) => {
    const nearAt = Date.parse(near)
    expect(timeNear(text, nearAt)).toBe('skipped')
    expect(timeWithin(text, { from: nearAt - 12 * 3_600_000, to: nearAt + 3_600_000 })).toBe(
      'skipped',
    )
  })

  test.each(['03:00', '01:59:59'])('%s exists in the night that skips an hour', text => {
    expect(timeNear(text, Date.parse('2026-03-29T04:00+02:00'))).not.toBe('skipped')
  })

  test('a time skipped on another day is read', () => {
    const near = Date.parse('2026-03-28T04:00+01:00')
    expect(timeNear('02:30', near)).toBe(Date.parse('2026-03-28T02:30+01:00'))
  })

  test.each([
    ['14:10', '2026-03-28T14:00+01:00', '2026-03-29T13:30+02:00', '2026-03-28T14:10+01:00'],
    ['13:20', '2026-03-28T14:00+01:00', '2026-03-29T13:30+02:00', '2026-03-29T13:20+02:00'],
    ['14:10', '2026-10-24T14:00+02:00', '2026-10-25T13:30+01:00', '2026-10-24T14:10+02:00'],
    ['13:40', '2026-10-24T14:00+02:00', '2026-10-25T13:30+01:00', '2026-10-25T13:40+01:00'],
  ])('%s between %s and %s is %s', (text, from, to, expected) => {
    const span = { from: Date.parse(from), to: Date.parse(to) }
    expect(timeWithin(text, span)).toBe(Date.parse(expected))
  })
})
