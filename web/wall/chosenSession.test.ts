import { expect, test } from 'vitest'
import { choiceOf, chosenSession } from './chosenSession.ts'

const session = (id: string, number: string | null) => ({
  id,
  car: number === null ? null : { id: `car ${number}`, number },
})

const first = session('first', '17')
const driven = session('driven', '44')
const next = session('next', '44')

test('without a choice the keys send to the first driven session', () => {
  expect(chosenSession(null, [first, driven], [first, driven])).toBe(first)
  expect(chosenSession(null, [], [])).toBeNull()
})

test('the keys follow their car to the phone that drives it next', () => {
  const choice = choiceOf(driven, [first, driven])
  expect(chosenSession(choice, [first, driven, next], [first, driven])).toBe(driven)
  expect(chosenSession(choice, [first, driven, next], [first, next])).toBe(next)
  expect(chosenSession(choice, [first, next], [first, next])).toBe(next)
})

test('the keys stay with the phone that was chosen until another one drives the car', () => {
  const choice = choiceOf(driven, [first, next])
  expect(chosenSession(choice, [first, driven, next], [first, next])).toBe(driven)
})

test('the keys never go to another car by themselves', () => {
  const choice = choiceOf(driven, [first, driven])
  expect(chosenSession(choice, [first], [first])).toBeNull()
  expect(chosenSession(choice, [first, next], [first, next])).toBe(next)
})

test('without named cars the keys send to the next session', () => {
  const choice = choiceOf(session('one', null), [])
  const two = session('two', null)
  expect(chosenSession(choice, [two], [two])).toBe(two)
})
