import { expect, test } from 'vitest'
import { lap } from '#testing/lap.ts'
import type { LinkGap } from '#web/race/linkGaps.ts'
import { bandName, chartData } from './chartData.ts'

const laps = [
  lap(0, 60, { kind: 'out' }),
  lap(1, 112),
  lap(2, 111),
  lap(3, 113),
  lap(4, 151, { yellow: true, yellowMessage: 'FCY' }),
  lap(5, 152, { yellow: true, yellowMessage: 'FCY' }),
  lap(6, 114, { yellow: true, marked: true }),
  lap(7, 290, { kind: 'pit' }),
  lap(8, 140),
]

test('laps that are not compared are gaps, with bands for stops and yellow laps', () => {
  const data = chartData([laps.slice(0, 7), laps.slice(7)], [])
  expect(data?.numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(data?.times).toEqual([[112, 111, 113, null, null, null, null, 140]])
  expect(data?.bands).toEqual([
    { kind: 'yellow', from: 4, to: 5, message: 'FCY' },
    { kind: 'yellow', from: 6, to: 6, message: null },
    { kind: 'pit', from: 7, to: 7, message: null },
  ])
  expect(data?.best).toEqual({ number: 2, timeS: 111 })
})

test('an average spans its stint, and one slow lap does not flatten the others', () => {
  const data = chartData([laps.slice(0, 7), laps.slice(7)], [])
  // The second stint has too few laps.
  expect(data?.averages).toEqual([{ from: 1, to: 3, timeS: 112 }])
  expect(data?.fastestS).toBe(111)
  expect(data?.slowestS).toBeCloseTo(112.5 * 1.06)
})

test('compared sessions share the axes, also if they are longer', () => {
  const data = chartData([[lap(1, 112)]], [[lap(1, 110), lap(2, 110.5)]])
  expect(data?.numbers).toEqual([1, 2])
  expect(data?.times).toEqual([
    [112, null],
    [110, 110.5],
  ])
  expect([data?.fastestS, data?.slowestS]).toEqual([110, 112])
})

test('laps before the race are not on the chart, and one lap may have two parts', () => {
  const parts = [lap(2, 60, { kind: 'in' }), lap(2, 130, { kind: 'out' })]
  const data = chartData([[lap(0, 100), lap(1, 112), ...parts]], [])
  expect(data?.numbers).toEqual([1, 2])
  expect(data?.times).toEqual([[112, null]])
  expect(data?.bands).toEqual([{ kind: 'pit', from: 2, to: 2, message: null }])
  expect(chartData([[lap(0, 100)]], [])).toBeNull()
})

test('laps around a stop are one pit band, a lap from the grid is an out lap', () => {
  const bandsOf = (...driven: Parameters<typeof lap>[]) =>
    chartData([driven.map(each => lap(...each))], [])?.bands.map(band => [bandName(band), band.to])
  expect(bandsOf([1, 130, { kind: 'out' }], [2, 112])).toEqual([['Out', 1]])
  expect(bandsOf([1, 112], [2, 115, { kind: 'in' }])).toEqual([['In', 2]])
  expect(bandsOf([1, 112], [2, 115, { kind: 'in' }], [3, 150, { kind: 'out' }])).toEqual([
    ['Pit', 3],
  ])
  expect(bandsOf([1, 130, { kind: 'out' }], [2, 290, { kind: 'pit' }], [3, 112])).toEqual([
    ['Out', 1],
    ['Pit', 2],
  ])
})

test('laps that are all partial or yellow have no chart', () => {
  const driven = [lap(0, 60, { kind: 'out' }), lap(1, 112, { yellow: true })]
  expect(chartData([driven], [])).toBeNull()
})

test('laps in one gap are a band that names the data link that was off', () => {
  const over = lap(4, 305, {
    startedAt: 200_000,
    kind: 'incomplete',
    isSeen: false,
    endsAtLine: true,
  })
  const driven = [lap(1, 113, { kind: 'out' }), over, lap(5, 112, { startedAt: 505_000 })]
  const bandsOf = (gaps: LinkGap[]) =>
    chartData([driven], [], gaps)?.bands.map(band => [bandName(band), band.from, band.to])
  const out = ['Out', 1, 1]
  expect(bandsOf([{ from: 290_000, to: 480_000 }])).toEqual([out, ['No link', 2, 4]])
  expect(bandsOf([{ from: 90_000, to: 190_000 }])).toEqual([out, ['Not seen', 2, 4]])
})
