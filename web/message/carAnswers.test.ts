import { expect, test } from 'vitest'
import type { KnownAnswers } from '#client/channel/sessionAnswers.ts'
import type { Answer } from '#contract/answers.ts'
import { carAnswers } from './carAnswers.ts'

const none: KnownAnswers = { answer: null, problem: null, reply: null }

function answerOf(kind: Answer['kind'], receivedAt: number): Answer {
  const id = crypto.randomUUID()
  return { id, number: 1, kind, version: 3, at: receivedAt, receivedAt }
}

test('a problem of another phone of the car is shown', () => {
  const problem = answerOf('Problem', 2000)
  const yes = answerOf('Yes', 3000)
  const shown = { ...none, answer: yes, reply: yes }
  const known = carAnswers(shown, [{ ...none, answer: problem, problem }])
  expect(known).toEqual({ answer: yes, problem, reply: yes })
})

test('an open problem of one phone outlasts a newer one that another phone took back', () => {
  const open = answerOf('Problem', 1000)
  const takenBack = answerOf('TakenBack', 2000)
  const shown = { ...none, answer: takenBack, problem: takenBack }
  expect(carAnswers(shown, [{ ...none, answer: open, problem: open }]).problem?.kind).toBe(
    'Problem',
  )
  expect(carAnswers(shown, [none]).problem).toBe(takenBack)
})

test('a Yes or No on another phone answers no question of this one', () => {
  const yes = answerOf('Yes', 1000)
  expect(carAnswers(none, [{ ...none, answer: yes, reply: yes }])).toEqual(none)
})
