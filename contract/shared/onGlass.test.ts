import { expect, test } from 'vitest'
import { type GlassMessage, sizeOnGlass, stopOf } from './onGlass.ts'

const minute = 60_000
const pit: GlassMessage = { type: 'Pit', pressedAt: 0, shownAt: 200, copiedAt: null }
const question: GlassMessage = { ...pit, ask: true }
const inPits = { startedAt: minute, stoppedAt: minute + 15_000, endedAt: null }
const after = { ...inPits, endedAt: 3 * minute }

test('a message is full until it is replaced or cleared', () => {
  expect(sizeOnGlass({ ...pit, type: 'Push' }, null, [after], 60 * minute)).toBe('full')
  expect(sizeOnGlass({ ...pit, type: null }, null, [], 1000)).toBe('gone')
})

test('a question is small 3 s after its answer, until a pit exit or for 20 minutes', () => {
  expect(sizeOnGlass(question, null, [after], 60 * minute)).toBe('full')
  expect(sizeOnGlass(question, 1000, [], 3999)).toBe('full')
  expect(sizeOnGlass(question, 1000, [inPits], 4000)).toBe('small')
  expect(sizeOnGlass(question, 1000, [after], 4 * minute)).toBe('gone')
  expect(sizeOnGlass(question, 1000, [], 1000 + 20 * minute)).toBe('gone')
})

test('PIT and FUEL are small from the pit-in line, and gone at the exit', () => {
  for (const type of ['Pit', 'Fuel']) {
    expect(sizeOnGlass({ ...pit, type }, null, [], minute)).toBe('full')
    expect(sizeOnGlass({ ...pit, type }, null, [inPits], minute + 1)).toBe('small')
    expect(sizeOnGlass({ ...pit, type }, null, [after], 3 * minute + 1)).toBe('gone')
  }
})

test('a stop takes the place of an older message until the exit', () => {
  const easy = { ...pit, type: 'Easy' }
  expect(sizeOnGlass(easy, null, [inPits], 2 * minute)).toBe('small')
  expect(sizeOnGlass(easy, null, [after], 3 * minute + 1)).toBe('full')
})

test('an order sent in the pits is small once it was read, and ABORT stays full', () => {
  const shownAt = 2 * minute
  for (const type of ['FCY', 'SC', 'Code 60', 'Easy', 'Go', 'Fuel', 'Box 2']) {
    const order = { ...pit, type, pressedAt: shownAt, shownAt }
    expect(sizeOnGlass({ ...order, shownAt: null }, null, [inPits], shownAt + minute)).toBe('full')
    expect(sizeOnGlass(order, null, [inPits], shownAt + 9999)).toBe('full')
    expect(sizeOnGlass(order, null, [inPits], shownAt + 10_000)).toBe('small')
    const copied = { ...order, copiedAt: shownAt + 500 }
    expect(sizeOnGlass(copied, null, [inPits], shownAt + 500)).toBe('small')
    expect(sizeOnGlass(copied, null, [after], 3 * minute + 1)).toBe('full')
  }
  // A safety order before the stop needs to be seen as well.
  expect(sizeOnGlass({ ...pit, type: 'SC', shownAt: minute }, null, [inPits], minute + 1)).toBe(
    'full',
  )
  expect(sizeOnGlass({ ...pit, type: 'Abort' }, null, [inPits], 2 * minute)).toBe('full')
})

test('a PIT sent in the pits yields to the stop, and is obeyed before the car stands', () => {
  const pressed = (afterMs: number) => ({ ...pit, pressedAt: minute + afterMs })
  const rolling = { ...inPits, stoppedAt: null }
  expect(sizeOnGlass(pressed(6000), null, [rolling], minute + 7000)).toBe('small')
  expect(sizeOnGlass(pressed(6000), null, [after], 3 * minute + 1)).toBe('gone')
  expect(sizeOnGlass(pressed(30_000), null, [inPits], 2 * minute)).toBe('small')
  expect(sizeOnGlass(pressed(30_000), null, [after], 3 * minute + 1)).toBe('full')
  // Positions may be missing since the car came in.
  expect(sizeOnGlass(pressed(10 * minute), null, [inPits], 20 * minute)).toBe('full')
  const through = { ...after, stoppedAt: null }
  expect(sizeOnGlass(pressed(6000), null, [through], 3 * minute + 1)).toBe('full')
})

test('a PIT that the server does not clear at the exit is small for five minutes', () => {
  expect(sizeOnGlass(pit, null, [after], 3 * minute + 15_000)).toBe('small')
  expect(sizeOnGlass(pit, null, [after], 8 * minute - 1)).toBe('small')
  expect(sizeOnGlass(pit, null, [after], 8 * minute)).toBe('gone')
})

test('what was copied before a stop stays small for the next driver, then it is gone', () => {
  const own = { ...pit, type: 'Box 2', copiedAt: 1000 }
  expect(sizeOnGlass(own, null, [after], 4 * minute)).toBe('small')
  expect(sizeOnGlass(own, null, [after], 8 * minute)).toBe('gone')
  expect(sizeOnGlass({ ...own, copiedAt: 2 * minute }, null, [after], 60 * minute)).toBe('full')
  expect(sizeOnGlass({ ...own, type: 'FCY' }, null, [after], 60 * minute)).toBe('full')
  const through = { ...after, stoppedAt: null }
  expect(sizeOnGlass(own, null, [through], 60 * minute)).toBe('full')
})

test('the next stop shows nothing of what an earlier one has replaced', () => {
  const next = { startedAt: 9 * minute, stoppedAt: null, endedAt: null }
  for (const type of ['Pit', 'Fuel', 'Box 2']) {
    const order = { ...pit, type, copiedAt: 1000 }
    expect(sizeOnGlass(order, null, [inPits], 2 * minute)).toBe('small')
    expect(sizeOnGlass(order, null, [after, next], 9 * minute)).toBe('gone')
  }
  const safety = { ...pit, type: 'SC', copiedAt: 1000 }
  expect(sizeOnGlass(safety, null, [after, next], 9 * minute)).toBe('small')
})

test('without a known pit lane nothing clears it, and it stays small', () => {
  expect(sizeOnGlass(pit, null, [after], 3 * minute + 15_000)).toBe('small')
})

test('a word that the driver has not seen never shrinks', () => {
  expect(sizeOnGlass({ ...pit, shownAt: null }, null, [inPits], 2 * minute)).toBe('full')
})

test('a stop obeys only what was pressed before it', () => {
  expect(stopOf(pit, [inPits])).toBe(inPits)
  expect(stopOf({ ...pit, pressedAt: minute + 15_001 }, [inPits])).toBeNull()
  expect(stopOf(question, [inPits])).toBeNull()
  expect(stopOf({ ...pit, type: 'Box' }, [inPits])).toBeNull()
})
