import { expect, test } from 'vitest'
import { linkHoles, shareAt, speedTrace } from './speedTrace.ts'

const fix = (second: number, speedKmh: number | null) => ({
  at: second * 1000,
  latitude: second / 10_000,
  longitude: 0,
  speedKmh,
})

test('speeds are placed along the way, with gaps where positions are missing', () => {
  const trace = speedTrace([fix(0, 100), fix(1, 110), fix(2, null), fix(8, 120), fix(10, 140)])
  expect(trace.lengthM).toBeCloseTo(111, 0)
  expect(trace.parts.map(part => part.map(({ kmh }) => kmh))).toEqual([
    [100, 110],
    [120, 140],
  ])
  expect(shareAt(trace, 9000)).toEqual({ share: expect.closeTo(0.9, 5), kmh: 130 })
  expect(shareAt(trace, 0)).toMatchObject({ share: 0, kmh: 100 })
  expect(shareAt(trace, 4000)).toBeNull()
  expect(shareAt(trace, 11_000)).toBeNull()
})

test('a parked car and no positions have a trace', () => {
  expect(speedTrace([])).toEqual({ lengthM: 0, parts: [] })
  const parked = [0, 1].map(second => ({ ...fix(second, 0), latitude: 5 }))
  expect(speedTrace(parked).parts[0]).toHaveLength(2)
})

test('a hole is named by the data link only if that was off', () => {
  const trace = speedTrace([fix(0, 100), fix(2, 110), fix(8, 120), fix(10, 140)])
  const off = (from: number, to: number) => [{ from: from * 1000, to: to * 1000 }]
  const hole = { share: expect.closeTo(0.2, 5), width: expect.closeTo(0.6, 5) }
  expect(linkHoles(trace, off(3, 7))).toEqual([hole])
  expect(linkHoles(trace, off(3, Number.POSITIVE_INFINITY))).toEqual([hole])
  expect(linkHoles(trace, off(12, 20))).toEqual([])
  expect(linkHoles(trace, [])).toEqual([])
})
