import { expect, test } from 'vitest'
import { fillsGlass, pitThisLap, problemState } from './problem.ts'

const problem = { kind: 'Problem', receivedAt: 1000 }
const got = { ...problem, gotIt: { at: 24_000 } }

test('a problem is open until a member has got it, also after a pit exit', () => {
  expect(problemState(null, null, 2000)).toBeNull()
  expect(problemState(problem, null, 3_600_000)).toBe('open')
  expect(problemState(problem, 2000, 3_600_000)).toBe('open')
})

test('a problem that a member has got is shown until a pit exit, or for ten minutes', () => {
  expect(problemState(got, null, 624_000)).toBe('got')
  expect(problemState(got, null, 624_001)).toBeNull()
  expect(problemState(got, 23_999, 60_000)).toBe('got')
  expect(problemState(got, 24_001, 60_000)).toBeNull()
})

test("it fills the driver's screen until 10 s after it was got, on track in a race", () => {
  const onTrack = { exitedAt: null, isInPits: false, isRaceOver: false }
  expect(fillsGlass(problem, onTrack, 3_600_000)).toBe(true)
  expect(fillsGlass(got, onTrack, 33_999)).toBe(true)
  expect(fillsGlass(got, onTrack, 34_000)).toBe(false)
  expect(fillsGlass(got, { ...onTrack, exitedAt: 25_000 }, 26_000)).toBe(false)
  expect(fillsGlass(problem, { ...onTrack, isInPits: true }, 2000)).toBe(false)
  expect(fillsGlass(problem, { ...onTrack, isRaceOver: true }, 2000)).toBe(false)
  expect(fillsGlass({ kind: 'TakenBack', receivedAt: 1000 }, onTrack, 2000)).toBe(false)
})

test('one that was taken back is shown for a minute', () => {
  const takenBack = { kind: 'TakenBack', receivedAt: 1000 }
  expect(problemState(takenBack, null, 60_999)).toBe('taken-back')
  expect(problemState(takenBack, null, 61_000)).toBeNull()
})

test('"Pit this lap" is shown for two minutes, and not after a pit exit', () => {
  const pit = { kind: 'PitThisLap', receivedAt: 1000 }
  expect(pitThisLap(pit, null, 121_000)).toBe(pit)
  expect(pitThisLap(pit, null, 121_001)).toBeNull()
  expect(pitThisLap(pit, 999, 2000)).toBe(pit)
  expect(pitThisLap(pit, 1001, 2000)).toBeNull()
  expect(pitThisLap(problem, null, 2000)).toBeNull()
})
