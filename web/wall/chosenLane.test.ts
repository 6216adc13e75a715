import { expect, test } from 'vitest'
import { exampleSession } from '#testing/live/exampleSession.ts'
import { choiceOf, chosenLane } from './chosenLane.ts'

const lane = (id: string, number: string | null) => ({
  id,
  session: { ...exampleSession, car: number === null ? null : { id: `car ${number}`, number } },
})

const first = lane('first', '17')
const second = lane('second', '44')

test('without a choice the keys send to the first car', () => {
  expect(chosenLane(null, [first, second])).toBe(first)
  expect(chosenLane(null, [])).toBeNull()
})

test('the keys stay with their car, also when it starts another session', () => {
  const choice = choiceOf(second)
  expect(chosenLane(choice, [first, second])).toBe(second)
  const next = lane('next', '44')
  expect(chosenLane(choice, [first, next])).toBe(next)
})

test('the keys never go to another car by themselves', () => {
  expect(chosenLane(choiceOf(second), [first])).toBeNull()
})

test('a session without a car that ended, or got another car, leaves no lane chosen', () => {
  const one = lane('one', null)
  expect(chosenLane(choiceOf(one), [lane('two', null), first])).toBeNull()
  expect(chosenLane(choiceOf(lane('other', '7')), [lane('other', '9'), first])).toBeNull()
})
