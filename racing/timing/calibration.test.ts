import { expect, test } from 'vitest'
import { seeded } from '#testing/drives.ts'
import { calibrationOf, lineState } from './calibration.ts'

/** Returns values of a normal distribution with this standard deviation (Box and Muller). */
function normal(random: () => number, sd: number) {
  return sd * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

function passings(count: number) {
  return Array.from({ length: count }, (_, index) => 1_000_000 + index * 112_345)
}

test('a known bias is found within 0.02 s after ten passings, and the ± covers 95 %', () => {
  const random = seeded(7)
  const [official, tries] = [passings(10), 2000]
  let [near, covered] = [0, 0]
  for (let index = 0; index < tries; index++) {
    const biasMs = (random() - 0.5) * 1000
    const found = calibrationOf(
      official,
      official.map(at => at + biasMs + normal(random, 28)),
    )
    if (!found) throw new Error('ten passings are enough')
    const errorMs = Math.abs(found.lateMs - biasMs)
    if (errorMs <= 20) near += 1
    if (errorMs <= found.plusMinusMs) covered += 1
  }
  expect(near / tries).toBeGreaterThan(0.95)
  expect(covered / tries).toBeGreaterThan(0.935)
  expect(covered / tries).toBeLessThan(0.965)
})

test('the ± of a lap comes from laps alone, whatever the clocks show', () => {
  const random = seeded(3)
  const official = passings(400)
  const found = calibrationOf(
    official,
    official.map(at => at - 300 + normal(random, 30)),
  )
  expect(found?.lateMs).toBeCloseTo(-300, -1)
  // Two crossings of 0.03 s each.
  expect(found?.lapPlusMinusMs).toBeGreaterThan(75)
  expect(found?.lapPlusMinusMs).toBeLessThan(92)
})

test('a calibration is known from the fifth passing on that both have seen', () => {
  const official = passings(5)
  expect(calibrationOf(official, official.slice(0, 4))).toBeNull()
  expect(calibrationOf(official.slice(0, 4), official)).toBeNull()
  expect(calibrationOf(official, [])).toBeNull()
  expect(
    calibrationOf(
      official,
      official.map(at => at + 30_000),
    ),
  ).toBeNull()
  expect(
    calibrationOf(
      official,
      official.map(at => at + 250),
    ),
  ).toEqual({
    count: 5,
    lateMs: 250,
    plusMinusMs: 0,
    lapPlusMinusMs: 0,
    newestAt: (official[4] ?? 0) + 250,
  })
})

test('a passing that phone and source saw at different times does not count', () => {
  const official = passings(8)
  const byGps = official.map((at, index) => at + 100 + (index % 3) * 10 + (index === 2 ? 2500 : 0))
  expect(calibrationOf(official, byGps)).toMatchObject({ count: 7 })
  expect(calibrationOf(official, byGps)?.lateMs).toBeLessThan(125)
})

test('a line is moved if it is off by more than the ±, and by no more than two seconds', () => {
  const state = (lateMs: number, plusMinusMs = 20) => lineState({ lateMs, plusMinusMs })
  expect(state(-49)).toBe('right')
  expect(state(-60)).toBe('off')
  expect(state(-60, 70)).toBe('right')
  expect(state(2000)).toBe('off')
  expect(state(-2001)).toBe('too far')
})
