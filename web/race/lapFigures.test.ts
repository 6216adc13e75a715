import { expect, test } from 'vitest'
import { lap } from '#testing/lap.ts'
import {
  averageMs,
  bestLap,
  bestWholeLap,
  deltaTenths,
  deltaText,
  isAfterFlag,
  lapTime,
  lapTimeFrom,
  lastLap,
  recentAverageMs,
  usualPlusMinusMs,
} from './lapFigures.ts'

test('only whole green laps with seen crossings are compared', () => {
  const laps = [
    lap(0, 60, { kind: 'out', plusMinusMs: 900 }),
    lap(1, 112.4),
    lap(2, 90, { yellow: true }),
    lap(3, 80, { isSeen: false }),
    lap(4, 111.8),
    lap(5, 111.8),
    lap(6, 70, { kind: 'pit' }),
    lap(7, 4.9),
  ]
  expect(bestLap(laps)?.number).toBe(4)
  expect(averageMs(laps)).toBe(111_800)
  expect(usualPlusMinusMs(laps)).toBe(200)
  expect(bestLap(laps.slice(0, 1))).toBeNull()
})

test('a lap after the flag is not the best one of a race', () => {
  const laps = [lap(1, 96), lap(2, 95), lap(0, 94)]
  expect(bestLap(laps)?.number).toBe(2)
  expect(bestWholeLap(laps)?.number).toBe(2)
})

test('a lap after the flag is not the last one of a race', () => {
  const laps = [lap(0, 60, { kind: 'out' }), lap(1, 96), lap(2, 95), lap(0, 130), lap(0, 140)]
  expect(lastLap(laps)?.number).toBe(2)
  expect(lastLap(laps.slice(0, 1))).toBeNull()
})

test('a lap after the flag is another one than the way to the first crossing', () => {
  const at = (number: number, startedAt: number) => ({ ...lap(number, 100), startedAt })
  const laps = [at(0, 0), at(1, 100_000), at(2, 200_000), at(0, 300_000)]
  const shown = (race: { startedAt: number | null } | null) =>
    laps.map(each => isAfterFlag(each, { race, laps }))
  expect(shown({ startedAt: 0 })).toEqual([false, false, false, true])
  expect(shown({ startedAt: null })).not.toContain(true)
  expect(shown(null)).not.toContain(true)
})

test('a lap after the flag is in no average of a race', () => {
  const laps = [lap(1, 96), lap(2, 95), lap(3, 97), lap(0, 120), lap(0, 130)]
  expect(averageMs(laps)).toBe(96_000)
  expect(recentAverageMs(laps)).toBe(96_000)
  const ten = Array.from({ length: 10 }, (_, n) => lap(n + 1, n < 2 ? 90 : 100))
  expect(recentAverageMs([...ten.slice(0, 4), lap(0, 100), lap(0, 100)])).toBe(95_000)
  expect(averageMs([lap(1, 96), lap(2, 95), lap(0, 97)])).toBeNull()
})

test('without a compared lap the best is the fastest whole one', () => {
  const out = lap(0, 60, { kind: 'out' })
  const laps = [out, lap(1, 96, { yellow: true }), lap(2, 179, { kind: 'pit' })]
  expect(bestWholeLap(laps)?.number).toBe(1)
  expect(bestWholeLap([...laps, lap(3, 112.4)])?.number).toBe(3)
  expect(bestWholeLap([out])).toBeNull()
})

test('an average needs three laps, and the recent one is of the last ten', () => {
  expect(averageMs([lap(1, 110), lap(2, 112)])).toBeNull()
  expect(averageMs([lap(1, 110), lap(2, 112), lap(3, 113), lap(4, 200)])).toBe(112_500)
  const laps = [
    ...[1, 2, 3].map(n => lap(n, 90)),
    ...Array.from({ length: 10 }, (_, n) => lap(n + 4, 100)),
  ]
  expect(recentAverageMs(laps)).toBe(100_000)
})

test('times are rounded to tenths, and a minute is never 60 seconds', () => {
  expect(lapTime(112_449)).toBe('1:52.4')
  expect(lapTime(119_960)).toBe('2:00.0')
  expect(lapTime(3_725_000)).toBe('1:02:05.0')
  expect(lapTime(112_449, true)).toBe('~1:52')
})

test('a difference is that of the shown times, with its sign', () => {
  expect(deltaText(deltaTenths(112_449, 112_751))).toBe('−0.4')
  expect(deltaText(deltaTenths(112_900, 112_500))).toBe('+0.4')
  expect(deltaText(deltaTenths(112_449, 112_351))).toBe('0.0')
})

test('a lap time is read as people enter it', () => {
  expect(lapTimeFrom('1:52.4')).toBe(112_400)
  expect(lapTimeFrom(' 1:52,45 ')).toBe(112_450)
  expect(lapTimeFrom('112.4')).toBe(112_400)
  expect(lapTimeFrom('58')).toBe(58_000)
  for (const text of ['', 'fast', '1:72', '1:2:3', '-5', '1.52.4'])
    expect(lapTimeFrom(text)).toBeNull()
})
