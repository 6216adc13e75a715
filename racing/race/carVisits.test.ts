import { expect, test } from 'vitest'
import { carVisits } from './carVisits.ts'

const minute = 60_000

/** A visit to the pits in minutes, with a stop in the box. */
function visit(
  from: number,
  to: number | null,
  stop: readonly [number, number | null] | null = null,
) {
  const [stopped, left] = stop ?? [null, null]
  return {
    startedAt: from * minute,
    endedAt: to === null ? null : to * minute,
    stoppedAt: stopped === null ? null : stopped * minute,
    leftAt: left === null ? null : left * minute,
  }
}

/** Runs from and until times in minutes. */
function runs(...all: [string | null, number, number | null][]) {
  return all.map(([sessionId, from, until]) => ({
    sessionId,
    from: from * minute,
    until: until === null ? null : until * minute,
    decidedBy: 'moved' as const,
  }))
}

const phone = (sessionId: string, ...visits: ReturnType<typeof visit>[]) => ({
  sessionId,
  visits,
  leftPitsAt: [] as number[],
})

test('visits of a phone count while it is in the car', () => {
  const a = phone('a', visit(2, 4), visit(30, 33), visit(60, null))
  expect(carVisits([a], runs(['a', 5, null]))).toEqual([visit(30, 33), visit(60, null)])
  expect(carVisits([a], [])).toEqual([])
})

test('a visit ends where the next phone drives out of the pits', () => {
  const a = phone('a', visit(30, null, [31, null]))
  const swapped = runs(['a', 0, 35], ['b', 35, null])
  expect(carVisits([a, phone('b')], swapped)).toEqual([visit(30, 35, [31, null])])
  // Its phone stays there, and is carried away later.
  const stays = phone('a', visit(30, 90, [31, 80]))
  expect(carVisits([stays, phone('b')], swapped)).toEqual([visit(30, 35, [31, null])])
})

test('a visit in which a session ended is open until the next phone is in the car', () => {
  const a = phone('a', visit(30, null, [31, null]))
  expect(carVisits([a, phone('b')], runs(['a', 0, 32]))).toEqual([visit(30, null, [31, null])])
  const next = runs(['a', 0, 32], ['b', 35, null])
  expect(carVisits([a, phone('b')], next)).toEqual([visit(30, 35, [31, null])])
})

test('a stop that two phones saw is one visit', () => {
  const a = phone('a', visit(30, null, [31, null]))
  const b = phone('b', visit(30.1, 35.1, [31.1, 34]))
  const swapped = runs(['a', 0, 35], ['b', 35, null])
  expect(carVisits([a, b], swapped)).toEqual([visit(30, 35.1, [31, 34])])
  // The first phone was silent in the pits.
  expect(carVisits([phone('a'), b], swapped)).toEqual([visit(30.1, 35.1, [31.1, 34])])
})

test('a phone that waited in the pits after it was in the car has no such visit', () => {
  const a = phone('a', visit(30, 65, [31, 64]))
  const b = phone('b', visit(60, null, [61, null]))
  const swaps = runs(['a', 0, 35], ['b', 35, 65], ['a', 65, null])
  expect(carVisits([a, b], swaps)).toEqual([visit(30, 35, [31, null]), visit(60, 65, [61, null])])
  const silent = carVisits([a, phone('b')], swaps)
  expect(silent).toEqual([visit(30, 35, [31, null])])
})

test('a phone that waited in the pits through a whole stop has only the next one', () => {
  const a = phone('a', visit(30, 35, [31, 34]), visit(60, null, [61, null]))
  const b = phone('b', visit(20, 65, [21, 64]))
  const swapped = runs(['a', 0, 65], ['b', 65, null])
  expect(carVisits([a, b], swapped)).toEqual([visit(30, 35, [31, 34]), visit(60, 65, [61, null])])
  const silent = phone('a', visit(30, 35, [31, 34]))
  const put = runs(['a', 0, 50], ['b', 62, null])
  const seen = carVisits([silent, b], put).map(({ startedAt, endedAt }) => [startedAt, endedAt])
  expect(seen.slice(1)).toEqual([[50 * minute, 65 * minute]])
})

test('a phone that waits has no visit while the one before is seen on the track', () => {
  const b = phone('b', visit(48, 55, [49, 54]))
  const put = runs(['a', 0, 53], ['b', 55, null])
  const lostAt = (minutes: number) => ({ ...phone('a'), lastFixAt: minutes * minute })
  expect(carVisits([lostAt(52), b], put)).toEqual([{ ...visit(53, 55), leftAt: 54 * minute }])
  // One that came in with the car saw the stop in which the other one was silent.
  expect(carVisits([lostAt(45), b], put)).toEqual([visit(48, 55, [49, 54])])
})

test('a phone that takes over at the pit exit saw the stop, unless found on the track', () => {
  const swapped = runs(['a', 0, 50], ['b', 50, null])
  const silent = { ...phone('a'), lastFixAt: 40 * minute }
  const b = phone('b', visit(47, 50, [48, 49.5]))
  expect(carVisits([silent, b], swapped)).toEqual([visit(47, 50, [48, 49.5])])
  expect(carVisits([silent, phone('b', visit(47, 50, [48, 49.99]))], swapped)).toEqual([])
})

test('a time without a phone, by a decision, has no visits', () => {
  const a = phone('a', visit(30, 33), visit(40, 43))
  const none = runs(['a', 0, 38], [null, 38, 45], ['a', 45, null])
  expect(carVisits([a], none)).toEqual([visit(30, 33)])
})

test('a phone put into the car during its stop is in the pits until it leaves', () => {
  const a = phone('a', visit(30, null, [31, 33]))
  const b = { ...phone('b', visit(60, 63)), leftPitsAt: [36 * minute, 63 * minute] }
  const decided = runs(['a', 0, 33], ['b', 33, null]).map(run => ({
    ...run,
    decidedBy: 'person' as const,
  }))
  expect(carVisits([a, b], decided)).toEqual([visit(30, 36, [31, 33]), visit(60, 63)])
  // It drove already.
  const drives = { ...b, leftPitsAt: [10 * minute, 63 * minute] }
  expect(carVisits([a, drives], decided)).toEqual([visit(30, 33, [31, 33]), visit(60, 63)])
})
