import { expect, test } from 'vitest'
import { exampleSession } from '#testing/live/exampleSession.ts'
import { type Digits, digitOf, laneOfDigit, laneOfNumber, withDigits } from './digits.ts'

function lane(number: string | null) {
  const car = number === null ? null : { id: `car ${number}`, number, name: null, carClass: null }
  return { id: `lane ${number}`, session: { ...exampleSession, car } }
}

/** Returns the digits of driven cars with these numbers. `listed` are the numbers of the team's cars. */
function digitsOf(
  numbers: readonly (string | null)[],
  { listed, shown = new Map() }: { listed: readonly string[]; shown?: Digits },
) {
  const lanes = numbers.map(lane)
  const cars = listed.map(number => ({ id: `car ${number}`, number, archived: false }))
  const digits = withDigits(shown, lanes, cars)
  return { digits, inOrder: lanes.map(each => digitOf(digits, each)) }
}

test('one-digit numbers are their own digit, others take the lowest of the car list', () => {
  const listed = ['21', '2', '107', '1']
  expect(digitsOf(listed, { listed }).inOrder).toEqual([3, 2, 4, 1])
  expect(digitsOf([null, '12', '44'], { listed: ['12', '44'] }).inOrder).toEqual([3, 1, 2])
})

test('a car has the same digit whichever others drive', () => {
  const listed = ['7', '17', '44']
  expect(digitsOf(['44'], { listed }).inOrder).toEqual([2])
  expect(digitsOf(['44', '17'], { listed }).inOrder).toEqual([2, 1])
})

test('a digit that was shown stays with its car', () => {
  const { digits } = digitsOf(['12', '44'], { listed: ['12', '44'] })
  const listed = ['1', '12', '44', '3']
  expect(digitsOf(listed, { listed, shown: digits }).inOrder).toEqual([5, 1, 2, 3])
})

test('the tenth car has no digit while the others drive', () => {
  const listed = Array.from({ length: 10 }, (_, index) => String(index + 10))
  expect(digitsOf(listed, { listed }).inOrder).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, null])
  expect(digitsOf(['12', '19'], { listed }).inOrder).toEqual([3, 1])
  const { digits } = digitsOf(listed, { listed })
  expect(digitsOf(listed, { listed, shown: digits }).digits).toBe(digits)
})

test('a car on two lanes has its own digit on both, and on the one that stays', () => {
  const [old, next] = [lane('17'), { ...lane('17'), id: 'next' }]
  const cars = ['7', '17'].map(number => ({ id: `car ${number}`, number, archived: false }))
  const shown = withDigits(new Map(), [old], cars)
  const digits = withDigits(withDigits(shown, [old, next], cars), [next], cars)
  expect([old, next].map(each => digitOf(digits, each))).toEqual([1, 1])
  expect(digits).toEqual(withDigits(new Map(), [next], cars))
})

test('the digit of a car on two lanes chooses the session that started last', () => {
  const first = lane('17')
  const next = { id: 'next', session: { ...first.session, startedAt: first.session.startedAt + 1 } }
  const digits = withDigits(new Map(), [first], [])
  expect(laneOfDigit(digits, [first, next], 1)).toBe(next)
  expect(laneOfDigit(digits, [next, first], 1)).toBe(next)
  expect(laneOfDigit(digits, [first, next], 2)).toBeUndefined()
})

test('a typed number of two or more digits is a car, whatever was pressed before', () => {
  const lanes = [lane('7'), lane('12'), lane('107')]
  const numberAfter = (typed: string) => laneOfNumber(lanes, typed)?.session.car?.number
  expect(['7', '12', '712', '107', '121', '2', ''].map(numberAfter)).toEqual([
    undefined,
    '12',
    '12',
    '107',
    undefined,
    undefined,
    undefined,
  ])
})
