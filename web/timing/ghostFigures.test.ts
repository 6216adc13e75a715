import { expect, test } from 'vitest'
import type { GhostStop } from '#racing/timing/ghostStop.ts'
import { behindText, ghostNow, lossText, placesText } from './ghostFigures.ts'

const loss = { ms: 94_200, plusMinusMs: 2400, count: 22 }
const ghost: GhostStop = {
  loss,
  position: 7,
  best: 7,
  worst: 7,
  classPosition: 3,
  behind: { number: '382', ms: 14_040 },
}

test('a ghost is a place, or a range if the stop is uncertain', () => {
  expect(placesText(ghost)).toBe('P7')
  expect(placesText({ ...ghost, best: 6, worst: 8 })).toBe('P6\u20138')
  expect(behindText(ghost)).toBe('14 s behind 382')
  expect(behindText({ ...ghost, behind: { number: '71', ms: 88_000 } })).toBe('1:28 behind 71')
  expect(behindText({ ...ghost, behind: { number: '71', ms: null } })).toBe('behind 71')
  expect(behindText({ ...ghost, behind: null })).toBe('in the lead')
})

test('the shown ghost is that of the current flag', () => {
  const ghosts = { green: ghost, yellow: null }
  expect(ghostNow({ now: 'green', ...ghosts })).toBe(ghost)
  expect(ghostNow({ now: 'yellow', ...ghosts })).toBeNull()
  expect(ghostNow({ now: null, ...ghosts })).toBeNull()
})

test('the cost of a stop has its uncertainty', () => {
  expect(lossText(loss)).toBe('1:34 \u00b13 s')
  expect(lossText(null)).toBe('not known')
})
