import { expect, test } from 'vitest'
import { exampleSession } from '#testing/live/exampleSession.ts'
import { carKey, type Digits, withDigits } from './digits.ts'

function lane(number: string | null) {
  const car = number === null ? null : { id: `car ${number}`, number, name: null, carClass: null }
  return { id: `lane ${number}`, session: { ...exampleSession, car } }
}

/** Returns the digits of cars with these numbers, after others were shown. */
function digitsOf(numbers: readonly (string | null)[], shown: Digits = new Map()) {
  const lanes = numbers.map(lane)
  const digits = withDigits(shown, lanes)
  return { digits, inOrder: lanes.map(each => digits.get(carKey(each))) }
}

test('a number of one digit is chosen by itself, others by the lowest free digits in order', () => {
  expect(digitsOf(['21', '2', '107', '1']).inOrder).toEqual([3, 2, 4, 1])
  expect(digitsOf(['12', null, '44']).inOrder).toEqual([1, 2, 3])
})

test('a digit that was shown stays with its car', () => {
  const { digits } = digitsOf(['12', '44'])
  expect(digitsOf(['1', '12', '44', '3'], digits).inOrder).toEqual([4, 1, 2, 3])
  expect(digitsOf(['44'], digits)).toEqual({ digits, inOrder: [2] })
})

test('the tenth car has no digit', () => {
  const numbers = Array.from({ length: 10 }, (_, index) => String(index + 10))
  expect(digitsOf(numbers).inOrder).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, undefined])
})
