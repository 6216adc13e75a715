import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import { countedStints, type DrivenStint, stintClock } from './stintClock.ts'

const noLimits = { stintMs: null, driverMs: null }
const limits = { stintMs: 70 * minuteMs, driverMs: 180 * minuteMs }
const ana: DrivenStint = { driverId: 'ana', from: 0, to: 60 * minuteMs }
const leo: DrivenStint = { driverId: 'leo', from: 60 * minuteMs, to: null }
const visit = {
  startedAt: 58 * minuteMs,
  endedAt: 62 * minuteMs,
  stoppedAt: 59 * minuteMs,
  leftAt: 61 * minuteMs,
}

test('a stint without limits only counts', () => {
  const others: DrivenStint[] = []
  const clock = stintClock([ana, leo], {
    others,
    race: null,
    limits: noLimits,
    nowMs: 65 * minuteMs,
  })
  expect(clock).toEqual({ elapsedMs: 5 * minuteMs, leftMs: null, allowanceMs: null })
  expect(stintClock([], { others, race: null, limits, nowMs: 0 })).toBeNull()
})

test("the driver's allowance contains all sessions of the race", () => {
  const others = [
    { driverId: 'leo', from: 0, to: 30 * minuteMs },
    { driverId: 'mia', from: 30 * minuteMs, to: null },
  ]
  const clock = stintClock([ana, leo], { others, race: null, limits, nowMs: 90 * minuteMs })
  expect(clock).toEqual({
    elapsedMs: 30 * minuteMs,
    leftMs: 40 * minuteMs,
    allowanceMs: 120 * minuteMs,
  })
})

test('time beyond a limit is negative', () => {
  const clock = stintClock([ana, leo], { others: [], race: null, limits, nowMs: 140 * minuteMs })
  expect(clock?.leftMs).toBe(-10 * minuteMs)
})

test('a stint counts from the start of the race to its end, without pauses', () => {
  const race = {
    lengthMs: null,
    startedAt: 10 * minuteMs,
    pauses: [{ from: 20 * minuteMs, to: 30 * minuteMs }],
    endedAt: 50 * minuteMs,
  }
  const elapsedMs = (at: number) =>
    stintClock([{ ...ana, to: null }], { others: [], race, limits, nowMs: at * minuteMs })
      ?.elapsedMs
  expect([5, 15, 25, 40, 90].map(elapsedMs)).toEqual([0, 5, 10, 20, 30].map(ms => ms * minuteMs))
})

test('a driver change in the pits counts from pit-in to pit-out as nobody', () => {
  expect(countedStints([ana, leo], [visit], 65 * minuteMs)).toEqual([
    { ...ana, to: visit.startedAt },
    { ...leo, from: visit.endedAt },
  ])
})

test('a new driver who is still in the pits has not driven', () => {
  const open = { ...visit, endedAt: null }
  const stints = countedStints([ana, leo], [open], 61 * minuteMs)
  const clock = stintClock(stints, { others: [], race: null, limits, nowMs: 61 * minuteMs })
  expect(clock?.elapsedMs).toBe(0)
})

test('a stop without a driver change does not interrupt the stint', () => {
  const stints = countedStints([{ ...ana, to: null }], [visit], 65 * minuteMs)
  expect(stints).toEqual([{ ...ana, to: null }])
})

test('a driver who hands over again in the same visit has not driven', () => {
  const mia: DrivenStint = { driverId: 'mia', from: 59 * minuteMs, to: 60 * minuteMs }
  expect(countedStints([{ ...ana, to: mia.from }, mia, leo], [visit], 65 * minuteMs)).toEqual([
    { ...ana, to: visit.startedAt },
    { ...leo, from: visit.endedAt },
  ])
})

test('a driver change where the session ended adds no stint', () => {
  const open = { ...visit, endedAt: null }
  const ended = [ana, { ...leo, to: 62 * minuteMs }]
  expect(countedStints(ended, [open], 80 * minuteMs)).toEqual([{ ...ana, to: visit.startedAt }])
})

test('a driver who hands over in the pits where the session began has not driven', () => {
  const began = { ...visit, startedAt: minuteMs / 2, endedAt: 5 * minuteMs }
  const stints = [
    { ...ana, to: 2 * minuteMs },
    { ...leo, from: 2 * minuteMs },
  ]
  expect(countedStints(stints, [began], 9 * minuteMs)).toEqual([{ ...leo, from: 5 * minuteMs }])
  const later = { ...began, startedAt: 1.5 * minuteMs }
  expect(countedStints(stints, [later], 9 * minuteMs)).toHaveLength(2)
})
