import { expect, test } from 'vitest'
import { type EnteredValues, enteredFlag, withEnteredCars } from './byHand.ts'
import type { StandingWithGaps } from './standings.ts'

const silent = { receivedAt: 1000, isCurrent: false }
const current = { receivedAt: 5000, isCurrent: true }
const none = { receivedAt: null, isCurrent: false }

function entry(at: number, values: Partial<EnteredValues>): EnteredValues {
  return { id: `e${at}`, by: 'Sam', at, number: '17', ...values }
}

function fromFeed(position: number, number: string): StandingWithGaps {
  const gap = { laps: 0, ms: 900 }
  return {
    position,
    number,
    className: 'GT',
    classPosition: position,
    laps: 70,
    totalMs: 1,
    bestMs: 2,
    lastMs: 3,
    toLeader: gap,
    toAhead: gap,
    toAheadInClass: gap,
    usualMs: null,
    stops: null,
  }
}

const feed = [fromFeed(1, '382'), fromFeed(2, '17')]
const rowsOf = (...args: Parameters<typeof withEnteredCars>) =>
  withEnteredCars(...args).map(({ position, number, laps, toAhead, entered }) => [
    `P${position} ${number}`,
    laps,
    toAhead?.ms ?? null,
    entered?.at ?? null,
  ])

test('an entry that is newer than the feed replaces all values of its car', () => {
  const entries = [entry(2000, { position: 4 }), entry(3000, { gap: { laps: 0, ms: 12_400 } })]
  expect(rowsOf(feed, entries, silent)).toEqual([
    ['P1 382', 70, 900, null],
    ['P4 17', null, 12_400, 2000],
  ])
  expect(withEnteredCars(feed, entries, silent)[1]).toMatchObject({
    className: 'GT',
    classPosition: null,
    bestMs: null,
    toLeader: null,
    entered: { entryId: 'e3000', by: 'Sam' },
  })
})

test('a feed that is current, or has a newer line, wins', () => {
  const entries = [entry(900, { position: 4 })]
  expect(withEnteredCars(feed, entries, silent)).toEqual(feed)
  expect(withEnteredCars(feed, [entry(6000, { position: 4 })], current)).toEqual(feed)
})

test('a car that the feed lacks is shown as it was entered', () => {
  const entries = [entry(900, { number: '44', position: 2 })]
  expect(rowsOf(feed, entries, current)).toEqual([
    ['P1 382', 70, 900, null],
    ['P2 17', 70, 900, null],
    ['P2 44', null, null, 900],
  ])
})

test('a gap counts only at the position at which it was entered', () => {
  const gap = { laps: 0, ms: 1000 }
  const at4 = [entry(1, { position: 4 }), entry(2, { gap })]
  expect(rowsOf([], [...at4, entry(3, { position: 4, laps: 78 })], none)).toEqual([
    ['P4 17', 78, 1000, 2],
  ])
  expect(rowsOf([], [...at4, entry(3, { position: 3 })], none)).toEqual([['P3 17', null, null, 3]])
  expect(rowsOf([], [...at4, entry(3, { position: 3 }), entry(4, { gap })], none)).toEqual([
    ['P3 17', null, 1000, 3],
  ])
})

test('laps have the time of their own entry', () => {
  const entries = [entry(1, { position: 4, laps: 77 }), entry(3, { position: 4, laps: 78 })]
  const later = entry(5, { position: 4, gap: { laps: 0, ms: 1000 } })
  expect(withEnteredCars([], [...entries, later], none)).toMatchObject([
    { laps: 78, lapsEnteredAt: 3, entered: { at: 5, entryId: 'e5' } },
  ])
  expect(withEnteredCars([], [later], none)[0]).not.toHaveProperty('lapsEnteredAt')
})

test('without a position a car is not in the order', () => {
  expect(withEnteredCars([], [entry(1, { laps: 3 })], none)).toEqual([])
})

test('the flag is the newest one, unless the feed has had one since', () => {
  const flags = ['Green', 'FCY'].map((flag, index) => entry(2000 + index, { number: null, flag }))
  expect(enteredFlag(flags, silent)).toEqual({
    flag: 'FCY',
    entryId: 'e2001',
    by: 'Sam',
    at: 2001,
    isPast: false,
  })
  expect(enteredFlag(flags, { receivedAt: 2001, isCurrent: false })).toBeNull()
  expect(enteredFlag(flags, { receivedAt: 1999, isCurrent: true })).toBeNull()
  expect(enteredFlag([], none)).toBeNull()
})
