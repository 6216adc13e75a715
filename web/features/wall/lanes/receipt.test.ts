import { expect, test } from 'vitest'
import type { Answer } from '#contract/sessions/answers.ts'
import type { Message } from '#contract/sessions/messages.ts'
import { deliveryOf } from '#web/messages/delivery.ts'
import { isUnanswered, laneReceipt } from './receipt.ts'

const question = {
  version: 3,
  type: 'Pit',
  ask: true,
  sentAt: 1000,
  pressedAt: 1000,
  reachedAt: 1100,
  shownAt: 1200,
  copiedAt: null,
  expiresAt: null,
} as Message

const yes: Answer = {
  id: '018f4ad3-0000-4000-8000-000000000001',
  number: 1,
  kind: 'Yes',
  version: 3,
  question: { type: 'Pit' },
  at: 4000,
  receivedAt: 4100,
}

function receiptAt(nowMs: number, answers: { answer?: Answer; problem?: Answer } = {}) {
  const { answer = null, problem = null } = answers
  return laneReceipt(question, deliveryOf(question, null, nowMs), { answer, problem }, nowMs)
}

test('a question on the screen counts the time without an answer', () => {
  expect(receiptAt(5200)).toMatchObject({ text: 'No answer 4 s', tone: 'plain' })
})

test('an answer is shown only with its own question', () => {
  expect(receiptAt(6000, { answer: yes })).toMatchObject({ answer: 'Yes', text: '2 s ago' })
  expect(receiptAt(6000, { answer: { ...yes, version: 2 } })?.answer).toBeUndefined()
})

test('a problem stays until it is taken back', () => {
  const problem: Answer = { ...yes, number: 2, kind: 'Problem' }
  expect(receiptAt(900_000, { answer: yes, problem })).toMatchObject({ answer: 'Problem' })
  const takenBack: Answer = { ...problem, kind: 'TakenBack' }
  expect(receiptAt(900_000, { answer: yes, problem: takenBack })?.answer).toBe('Yes')
})

test('a problem is unanswered until it is taken back or the team sends a message', () => {
  const problem: Answer = { ...yes, kind: 'Problem' }
  const known = (each: Answer | null) => ({ answer: yes, problem: each })
  expect(isUnanswered(known(null), question)).toBe(false)
  expect(isUnanswered(known(problem), question)).toBe(true)
  expect(isUnanswered(known(problem), { ...question, sentAt: 9000 })).toBe(false)
  expect(isUnanswered(known(problem), { ...question, type: null, sentAt: 9000 })).toBe(true)
  expect(isUnanswered(known({ ...problem, kind: 'TakenBack' }), question)).toBe(false)
})
