import { expect, test } from 'vitest'
import { gaussian, seeded } from '#testing/drives.ts'
import { burnt, type FuelUse, learnBurn, pessimisticL } from './burn.ts'

/** Three stints to full with yellow laps, whose litres were entered with an error of 10 % each. */
function race(random: () => number) {
  const greenL = 0.5 + 4 * random()
  const yellowL = Math.max(0, greenL * (0.5 + 0.2 * gaussian(random)))
  const uses: FuelUse[] = Array.from({ length: 3 }, () => {
    const greenLaps = 8 + Math.floor(30 * random())
    const yellowLaps = random() < 0.5 ? 0 : 1 + Math.floor(6 * random())
    const litres = greenLaps * greenL + yellowLaps * yellowL
    return { litres: litres * (1 + 0.1 * gaussian(random)), greenLaps, yellowLaps }
  })
  return { greenL, yellowL, uses }
}

test('after three fills with 10 % noise the burn is within 5 % (median), and its ±', () => {
  const random = seeded(16)
  const errors: number[] = []
  let contained = 0
  let levelContained = 0
  const races = 10_000
  for (let index = 0; index < races; index++) {
    const { greenL, yellowL, uses } = race(random)
    const burn = learnBurn(uses, null)
    if (!burn) throw new Error('no burn')
    errors.push(Math.abs(burn.greenL / greenL - 1))
    if (Math.abs(burn.greenL - greenL) <= burn.plusMinusL) contained++
    const next = { greenLaps: Math.floor(30 * random()), yellowLaps: Math.floor(5 * random()) }
    const used = burnt(burn, next)
    const truth = next.greenLaps * greenL + next.yellowLaps * yellowL
    if (Math.abs(used.litres - truth) <= used.plusMinusL + 1e-9) levelContained++
  }
  errors.sort((a, b) => a - b)
  expect(errors[races / 2]).toBeLessThanOrEqual(0.05)
  expect(contained / races).toBeGreaterThanOrEqual(0.95)
  expect(levelContained / races).toBeGreaterThanOrEqual(0.95)
  // A ± of any size would contain the truth.
  expect(contained / races).toBeLessThanOrEqual(0.98)
})

test('fills with different shares of yellow laps separate green and yellow burn', () => {
  const uses = [
    { litres: 60, greenLaps: 30, yellowLaps: 0 },
    { litres: 44, greenLaps: 20, yellowLaps: 5 },
    { litres: 56, greenLaps: 20, yellowLaps: 20 },
    { litres: 38, greenLaps: 10, yellowLaps: 22 },
  ]
  const burn = learnBurn(uses, null)
  expect(burn?.greenL).toBeCloseTo(2, 1)
  expect(burn?.yellowL).toBeCloseTo(0.8, 1)
  expect(burn?.fills).toBe(4)
})

test('with one fill a yellow lap burns half of a green one', () => {
  const burn = learnBurn([{ litres: 50, greenLaps: 20, yellowLaps: 10 }], null)
  expect(burn?.greenL).toBeCloseTo(2, 6)
  expect(burn?.yellowL).toBeCloseTo(1, 6)
})

test('one or two laps are no basis', () => {
  expect(learnBurn([{ litres: 2, greenLaps: 1, yellowLaps: 0 }], null)).toBeNull()
  expect(learnBurn([{ litres: 4, greenLaps: 1, yellowLaps: 1 }], null)).toBeNull()
  expect(learnBurn([], null)).toBeNull()
  expect(learnBurn([{ litres: 6, greenLaps: 3, yellowLaps: 0 }], null)?.fills).toBe(1)
})

test('the entered burn counts as four fills, or as one if fills contradict it', () => {
  const entered = learnBurn([], 2)
  expect(entered).toMatchObject({ greenL: 2, yellowL: 1, fills: 0 })
  // 2.2 · 10 % / √4.
  expect(entered?.plusMinusL).toBeCloseTo(0.22, 3)
  const agreeing = learnBurn([{ litres: 63, greenLaps: 30, yellowLaps: 0 }], 2)
  expect(agreeing?.greenL).toBeCloseTo(2.02, 2)
  expect(agreeing?.plusMinusL).toBeLessThan(0.22)
  const contradicting = learnBurn([{ litres: 78, greenLaps: 30, yellowLaps: 0 }], 2)
  if (!contradicting) throw new Error('no burn')
  expect(contradicting.greenL).toBeCloseTo(2.3, 1)
  expect(pessimisticL(contradicting)).toBeGreaterThan(2.6)
})

test('fills that agree give a smaller ±, more laps per litre do not', () => {
  const use = { litres: 60, greenLaps: 30, yellowLaps: 0 }
  const one = learnBurn([use], null)
  const five = learnBurn([use, use, use, use, use], null)
  if (!one || !five) throw new Error('no burn')
  expect(five.plusMinusL).toBeLessThan(one.plusMinusL / 2)
  expect(pessimisticL(five)).toBeCloseTo(2 + five.plusMinusL, 6)
})

test('contradicting fills give a finite burn above nothing', () => {
  const burn = learnBurn(
    [
      { litres: 1, greenLaps: 40, yellowLaps: 0 },
      { litres: 900, greenLaps: 0, yellowLaps: 3 },
      { litres: 900, greenLaps: 3, yellowLaps: 0 },
    ],
    null,
  )
  expect(burn?.greenL).toBeGreaterThan(0)
  expect(burn?.yellowL).toBeGreaterThanOrEqual(0)
  expect(burn?.plusMinusL).toBeLessThan(Number.POSITIVE_INFINITY)
})
