import { expect, test } from 'vitest'
import { flagPeriods, type SeenFlag, withSeen } from './flagPeriods.ts'
import { flagsIn } from './flagsIn.ts'

const line = (flag: string, timeOfDay = '') => `$F,9999,"","${timeOfDay}","","${flag}"`
const seen = (flag: string | null, fromMs: number, seenMs: number): SeenFlag => ({
  flag,
  fromMs,
  seenMs,
})

test('the flags of a batch have their times by the time of day of its lines', () => {
  const lines = [
    '$B,5,"Race 1"',
    line('Green ', '23:59:50'),
    line('Green ', '23:59:55'),
    '$A,"1","17",1,"$F,","","",1',
    line('Yellow', '00:00:02'),
    line('      ', '00:00:03'),
  ]
  expect(flagsIn(lines.join('\n'), 100_000)).toEqual([
    seen('Green', 87_000, 92_000),
    seen('Yellow', 99_000, 99_000),
    seen(null, 100_000, 100_000),
  ])
})

test('of flags of one time the newest counts, and a step of the clock is no line', () => {
  expect(flagsIn([line('Green'), line('Red'), line('Green')].join('\r'), 5000)).toEqual([
    seen('Green', 5000, 5000),
  ])
  expect(flagsIn([line('Green', '12:00:00'), line('Red', '14:00:00')].join('\r\n'), 5000)).toEqual([
    seen('Red', 5000, 5000),
  ])
  expect(flagsIn(line('x'.repeat(50)), 5000)).toEqual([seen('x'.repeat(20), 5000, 5000)])
})

test('of a batch with a flag in each line the newest ones count', () => {
  const time = (n: number) => new Date(n * 1000).toISOString().slice(11, 19)
  const lines = Array.from({ length: 500 }, (_, n) => line(`${n}`, time(n)))
  const flags = flagsIn(lines.join('\n'), 500_000).map(({ flag }) => flag)
  expect([flags.length, flags.at(-1)]).toEqual([20, '499'])
})

test('a flag goes on over a short pause, never over a time with another known flag', () => {
  const green = seen('Green', 0, 20_000)
  expect(withSeen(green, seen('Green', 35_000, 35_000))).toEqual(seen('Green', 0, 35_000))
  expect(withSeen(green, seen('Green', 10_000, 10_000))).toEqual(green)
  expect(withSeen(green, seen('Green', 35_001, 35_001))).toEqual(seen('Green', 35_001, 35_001))
  expect(withSeen(green, seen('Yellow', 20_000, 20_000))).toEqual(seen('Yellow', 20_000, 20_000))
  expect(withSeen(green, seen('Yellow', 19_999, 19_999))).toBeNull()
})

test('a flag counts until the next line, or 5 s after its newest one', () => {
  const feed = [
    seen('Green', 0, 20_000),
    seen('Yellow', 30_000, 40_000),
    seen(null, 41_000, 50_000),
    seen('Purple', 51_000, 60_000),
    seen('Finish', 90_000, 95_000),
  ]
  expect(flagPeriods(feed, [])).toEqual([
    { flag: 'Green', isYellow: false, byHand: false, fromMs: 0, untilMs: 30_000 },
    { flag: 'Yellow', isYellow: true, byHand: false, fromMs: 30_000, untilMs: 41_000 },
    { flag: 'Purple', isYellow: true, byHand: false, fromMs: 51_000, untilMs: 65_000 },
  ])
})

test.each([
  ['FCY', true],
  ['Full Course Yellow', true],
  ['SC', true],
  ['VSC', true],
  ['Safety', true],
  ['Code 60', true],
  ['Red', true],
  ['green', false],
  ['Scrutineering', null],
  ['Finish', null],
  ['White', null],
])('the flag %s makes laps yellow: %s', (flag, isYellow) => {
  const [period = null] = flagPeriods([seen(flag, 0, 1000)], [])
  expect(period && period.isYellow).toBe(isYellow)
})

test('an entry by hand counts where no source is current, until something newer', () => {
  const feed = [seen('Green', 0, 20_000), seen('Green', 100_000, 120_000)]
  const entered = (...entries: [string, number][]) =>
    flagPeriods(
      feed,
      entries.map(([flag, at]) => ({ flag, at })),
    ).filter(({ isYellow }) => isYellow)
  expect(entered(['FCY', 10_000])).toEqual([])
  // Entered while the source had just become silent.
  expect(entered(['FCY', 22_000], ['Green', 60_000])).toEqual([
    { flag: 'FCY', isYellow: true, byHand: true, fromMs: 25_000, untilMs: 60_000 },
  ])
  expect(entered(['FCY', 50_000], ['SC', 130_000])).toEqual([
    { flag: 'FCY', isYellow: true, byHand: true, fromMs: 50_000, untilMs: 100_000 },
    { flag: 'SC', isYellow: true, byHand: true, fromMs: 130_000, untilMs: 3_730_000 },
  ])
  expect(flagPeriods([], [{ flag: 'Green', at: 5 }])).toEqual([
    { flag: 'Green', isYellow: false, byHand: true, fromMs: 5, untilMs: null },
  ])
})
