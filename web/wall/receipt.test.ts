import { expect, test } from 'vitest'
import type { KnownAnswers } from '#client/channel/sessionAnswers.ts'
import type { Answer } from '#contract/answers.ts'
import type { Message } from '#contract/messages.ts'
import { exampleSession } from '#testing/live/exampleSession.ts'
import { deliveryOf } from '#web/message/delivery.ts'
import { laneReceipt, phoneReceipts } from './receipt.ts'

/** The message PUSH, acknowledged by the driver. */
const pushMessage = {
  version: 3,
  type: 'Push',
  sentAt: 1000,
  pressedAt: 1000,
  reachedAt: 1100,
  shownAt: 1200,
  copiedAt: 1300,
  expiresAt: null,
} as Message

const question: Message = { ...pushMessage, type: 'Pit', ask: true, copiedAt: null }

const yes: Answer = {
  id: '018f4ad3-0000-4000-8000-000000000001',
  number: 1,
  kind: 'Yes',
  version: 3,
  question: { type: 'Pit' },
  at: 4000,
  receivedAt: 4100,
}

interface Known {
  answer?: Answer
  problem?: Answer
  reply?: Answer
}

function receiptAt(nowMs: number, known: Known = {}, message = question) {
  const { answer = null, problem = null, reply = null } = known
  return laneReceipt(message, deliveryOf(message, null, nowMs), { answer, problem, reply }, nowMs)
}

const press = { type: 'Pit', ask: false, pressedAt: { at: 7000 }, commandId: 'a' } as const

test('a question on the screen counts the time without an answer', () => {
  expect(receiptAt(5200)).toMatchObject({ text: 'No answer', age: '0:04', level: 'plain' })
})

test('an answer is shown only with its own question', () => {
  expect(receiptAt(6000, { reply: yes })).toMatchObject({ answer: 'Yes', text: '2 s ago' })
  expect(receiptAt(6000, { reply: { ...yes, version: 2 } })?.answer).toBeUndefined()
})

test('a problem stays until it is taken back', () => {
  const problem: Answer = { ...yes, number: 2, kind: 'Problem' }
  expect(receiptAt(900_000, { answer: problem, problem }, pushMessage)?.report?.kind).toBe(
    'Problem',
  )
  const takenBack: Answer = { ...problem, number: 3, kind: 'TakenBack' }
  const known = { answer: takenBack, problem: takenBack }
  expect(receiptAt(9000, known, pushMessage)?.report?.kind).toBe('TakenBack')
  expect(receiptAt(900_000, known, pushMessage)?.report).toBeUndefined()
})

test.each<[string, Partial<Message>, string, string]>([
  ['sent', { shownAt: null, reachedAt: null, copiedAt: null }, 'Sent, not shown', 'done dark dark'],
  [
    'expired',
    { shownAt: null, copiedAt: null, expiresAt: 8000 },
    'Not delivered',
    'dark dark dark',
  ],
  [
    'shown',
    { pressedAt: 7000, shownAt: 7200, copiedAt: null },
    'Shown after 0.2 s',
    'done done dark',
  ],
  ['acknowledged', { shownAt: 7200, copiedAt: 7500 }, 'Copied after 0.5 s', 'done done done'],
])(
  'a message after a report shows its delivery beside it (A6): %s',
  (_, delivery, text, sectors) => {
    const message = { ...pushMessage, version: 4, sentAt: 7000, pressedAt: 7000, ...delivery }
    for (const kind of ['Problem', 'PitThisLap'] as const) {
      const report: Answer = { ...yes, kind }
      const known = kind === 'PitThisLap' ? { answer: report } : { answer: report, problem: report }
      const receipt = receiptAt(9000, known, message)
      expect(receipt).toMatchObject({ text, report: { kind }, sectors: sectors.split(' ') })
      expect(receipt?.answer).toBeUndefined()
    }
  },
)

test('a press after a report shows its sending or its failure beside the report', () => {
  const problem: Answer = { ...yes, kind: 'Problem' }
  const known = { answer: problem, problem, reply: null }
  const sending = laneReceipt(pushMessage, deliveryOf(pushMessage, press, 7100), known, 7100)
  expect(sending).toMatchObject({
    text: 'Sending...',
    sectors: ['dark', 'dark', 'dark'],
    report: { kind: 'Problem' },
  })
  const failure = {
    sectors: ['dark', 'dark', 'dark'],
    text: 'PIT was not sent',
    level: 'bad',
  } as const
  const failed = laneReceipt(pushMessage, deliveryOf(pushMessage, null, 7100), known, 7100, {
    failure,
  })
  expect(failed).toEqual({ ...failure, report: problem })
})

test('a problem that a member has got names them, until the next pit exit', () => {
  const gotIt = { by: 'Mia', at: yes.at + 23_000, number: 3 }
  const problem: Answer = { ...yes, kind: 'Problem', gotIt }
  const known = { answer: problem, problem }
  const receipt = (exitedAt: number) =>
    laneReceipt(
      pushMessage,
      deliveryOf(pushMessage, null, 60_000),
      { ...known, reply: null },
      60_000,
      {
        exitedAt,
      },
    )
  expect(receipt(gotIt.at - 1)).toMatchObject({
    text: 'Copied after 0.3 s',
    report: problem,
  })
  expect(receipt(gotIt.at + 1)?.report).toBeUndefined()
  const cleared = { ...pushMessage, version: 4, type: null }
  expect(receiptAt(60_000, known, cleared)).toMatchObject({
    answer: 'Problem',
    text: 'Mia has it, after 0:23',
    level: 'good',
  })
})

test('a report is beside the delivery of each message, and alone without one (A6)', () => {
  const problem: Answer = { ...yes, kind: 'Problem' }
  const known = { answer: problem, problem }
  expect(receiptAt(6000, known, pushMessage)).toMatchObject({
    text: 'Copied after 0.3 s',
    report: { kind: 'Problem' },
  })
  // A report answers no question.
  expect(receiptAt(6000, known)).toMatchObject({ text: 'No answer', report: { kind: 'Problem' } })
  const sent = { ...pushMessage, version: 4, sentAt: 7000, shownAt: null, copiedAt: null }
  expect(receiptAt(9500, known, sent)).toMatchObject({
    sectors: ['done', 'dark', 'dark'],
    report: { kind: 'Problem' },
  })
  const cleared = { ...pushMessage, version: 4, type: null }
  expect(receiptAt(6000, known, cleared)).toMatchObject({ answer: 'Problem', text: '2 s ago' })
})

test('an answered question stays answered after a problem that is taken back (A5)', () => {
  const problem: Answer = { ...yes, number: 2, kind: 'Problem' }
  const known = { answer: problem, problem, reply: yes }
  expect(receiptAt(6000, known)).toMatchObject({ answer: 'Yes', report: { kind: 'Problem' } })
  const takenBack: Answer = { ...problem, number: 3, kind: 'TakenBack' }
  expect(receiptAt(9000, { answer: takenBack, problem: takenBack, reply: yes })).toMatchObject({
    answer: 'Yes',
    report: { kind: 'TakenBack' },
  })
  // Without an answer the question is still open.
  expect(receiptAt(9000, { answer: takenBack, problem: takenBack })).toMatchObject({
    text: 'No answer',
    age: '0:07',
    report: { kind: 'TakenBack' },
  })
})

test('an order that is shown and not acknowledged asks for action, with a counter', () => {
  const shown: Message = { ...pushMessage, shownAt: 1200, copiedAt: null, carriedOver: true }
  expect(receiptAt(16_000, {}, shown)).toMatchObject({ level: 'plain', age: '15 s ago' })
  expect(receiptAt(51_200, {}, shown)).toEqual({
    sectors: ['done', 'done', 'dark'],
    text: 'Shown, not copied',
    age: '0:50',
    level: 'due',
  })
})

test('an order that was carried over, or sent by the plan, says so with its delivery', () => {
  const carried: Message = { ...pushMessage, sentAt: 7000, shownAt: 7200, copiedAt: null }
  expect(receiptAt(9000, {}, { ...carried, carriedOver: true })?.text).toBe(
    'Shown after 0.2 s, carried over',
  )
  expect(receiptAt(9000, {}, { ...carried, byPlan: true })?.text).toBe('Shown after 6.2 s, by plan')
  expect(receiptAt(9000, { reply: yes }, { ...question, carriedOver: true })?.answer).toBe('Yes')
})

const none: KnownAnswers = { answer: null, problem: null, reply: null }

function phone(id: string, message: Message, answers = none) {
  return { session: { ...exampleSession, id, message }, answers, testedAt: null }
}

test('a problem that a member has got ends at the pit exit on each of several phones', () => {
  const problem: Answer = { ...yes, kind: 'Problem', gotIt: { by: 'Mia', at: 5000, number: 3 } }
  const addressed = [phone('ana', pushMessage, { ...none, problem }), phone('mia', pushMessage)]
  const reports = (exitedAt: number) =>
    phoneReceipts({ addressed, message: pushMessage }, null, exitedAt, 9000).map(
      ({ report }) => report?.kind,
    )
  expect(reports(4999)).toEqual(['Problem', undefined])
  expect(reports(5001)).toEqual([undefined, undefined])
})

test("each phone that a message reaches has a receipt with its driver's answers", () => {
  const sent: Message = { ...question, shownAt: null, reachedAt: null }
  const answered = { ...none, answer: yes, reply: yes }
  const addressed = [phone('ana', question, answered), phone('mia', sent)]
  const texts = (...args: Parameters<typeof phoneReceipts>) =>
    phoneReceipts(...args).map(({ sessionId, text, isShown }) => [sessionId, text, isShown])
  expect(texts({ addressed, message: question }, null, null, 5000)).toEqual([
    ['ana', '1 s ago', true],
    ['mia', 'Sent, not shown', false],
  ])
  expect(texts({ addressed, message: question }, press, null, 7100)).toEqual([
    ['ana', 'Sending...', false],
    ['mia', 'Sending...', false],
  ])
  // A phone that has another message, or none, does not show this one.
  const others = [phone('ana', pushMessage), phone('mia', { ...sent, version: 0, type: null })]
  expect(
    texts({ addressed: [...addressed, ...others], message: question }, null, null, 5000),
  ).toEqual([
    ['ana', '1 s ago', true],
    ['mia', 'Sent, not shown', false],
    ['ana', 'PUSH', false],
    ['mia', 'No message', false],
  ])
})
