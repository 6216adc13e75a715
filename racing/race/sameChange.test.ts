import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import { sameChange, sameStopMs } from './sameChange.ts'

const first = { id: 's1', driverId: null, from: 0 }
const leo = { id: 'b', driverId: 'leo', from: 60 * minuteMs }
const stints = [first, leo]
const visit = (startedAt: number, endedAt: number | null) => ({
  startedAt: startedAt * minuteMs,
  endedAt: endedAt === null ? null : endedAt * minuteMs,
  stoppedAt: null,
  leftAt: null,
})
const to = (driverId: string | null, minutes: number) => ({ driverId, from: minutes * minuteMs })

test('a change to the driver who took over minutes before or after is the same one', () => {
  for (const minutes of [51, 59, 60, 61, 69])
    expect(sameChange(stints, to('leo', minutes), [])).toBe(leo)
})

test('a change to another driver is a new one', () => {
  for (const minutes of [59, 60, 61]) expect(sameChange(stints, to('mia', minutes), [])).toBeNull()
})

test('a stint of the same driver after a later stop is a new one', () => {
  expect(sameChange(stints, to('leo', 120), [])).toBeNull()
  const visits = [visit(59, 64), visit(119, 124)]
  expect(sameChange(stints, to('leo', 120), visits)).toBeNull()
  const atLimit = { driverId: 'leo', from: leo.from + sameStopMs }
  expect(sameChange(stints, atLimit, [])).toBeNull()
})

test('in one visit to the pits it is the same one, however long the stop is', () => {
  const visits = [visit(59, 110)]
  expect(sameChange(stints, to('leo', 105), visits)).toBe(leo)
  expect(sameChange(stints, to('leo', 111), visits)).toBeNull()
  const goesOn = [visit(59, null)]
  expect(sameChange(stints, to('leo', 150), goesOn)).toBe(leo)
})

test('in two visits it is a new one, however soon the car stops again', () => {
  const visits = [visit(59, 62), visit(65, 68)]
  expect(sameChange(stints, to('leo', 66), visits)).toBeNull()
  // Before the second visit is known.
  expect(sameChange(stints, to('leo', 66), visits.slice(0, 1))).toBe(leo)
})

test('what was entered before a known visit is of that stop, unless long before', () => {
  expect(sameChange(stints, to('leo', 64), [visit(63, 66)])).toBe(leo)
  expect(sameChange(stints, to('leo', 80), [visit(63, 81)])).toBe(leo)
  expect(sameChange(stints, to('leo', 72), [visit(71, 75)])).toBeNull()
  expect(sameChange(stints, to('leo', 64), [visit(61, 62), visit(63, 66)])).toBeNull()
})

test('with another driver in between it is a new one', () => {
  const mia = { id: 'c', driverId: 'mia', from: 62 * minuteMs }
  expect(sameChange([first, leo, mia], to('leo', 63), [])).toBeNull()
})

test('a change back to the person who started the session is compared like any other', () => {
  expect(sameChange([first], to(null, 5), [])).toBe(first)
  expect(sameChange(stints, to(null, 61), [])).toBeNull()
})
