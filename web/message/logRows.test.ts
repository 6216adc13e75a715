import { expect, test } from 'vitest'
import type { Answer } from '#contract/answers.ts'
import type { LoggedMessage } from '#contract/messages.ts'
import { logResult, logRows } from './logRows.ts'

const message: LoggedMessage = {
  version: 1,
  type: 'Pit',
  pressedAt: 1000,
  sentAt: 1100,
  reachedAt: null,
  shownAt: null,
  copiedAt: null,
  expiresAt: null,
  sentBy: null,
}

function answer(kind: Answer['kind'], at: number, question?: string): Answer {
  return {
    id: `${kind}-${at}`,
    number: 1,
    kind,
    version: 1,
    at,
    receivedAt: at,
    ...(question !== undefined && { question: { type: question } }),
  }
}

test('a report of the driver has a row of its own, above the message it followed', () => {
  const answers = [
    answer('Yes', 3000, 'Pit'),
    answer('Problem', 5000, 'Pit'),
    answer('TakenBack', 6000),
  ]
  const rows = logRows([
    { ...message, version: 2, ask: true, answers },
    message,
    { ...message, version: 0, type: null, answers: [answer('Problem', 500)] },
  ])
  expect(rows.map(({ key }) => key)).toEqual([
    'TakenBack-6000',
    'Problem-5000',
    '2',
    '1',
    'Problem-500',
  ])
})

test('a message has one result, the furthest that it came', () => {
  const shown = { ...message, reachedAt: 1200, shownAt: 1300 }
  const result = (entry: LoggedMessage) => logResult(entry, 9000)
  expect(result(message)).toEqual({ is: 'unseen' })
  expect(result({ ...message, expiresAt: 8000 })).toEqual({ is: 'expired' })
  expect(result(shown)).toEqual({ is: 'shown', tookMs: 300 })
  expect(result({ ...shown, copiedAt: 3000 })).toEqual({ is: 'copied', tookMs: 2000 })
  const yes = answer('Yes', 5300, 'Pit')
  expect(result({ ...shown, ask: true, answers: [yes, answer('Problem', 6000)] })).toEqual({
    is: 'answered',
    answer: yes,
    tookMs: 4000,
  })
})

test('a message that was carried over counts from when this phone got it', () => {
  const carried = { ...message, carriedOver: true as const, sentAt: 5000, shownAt: 5200 }
  expect(logResult(carried, 9000)).toEqual({ is: 'shown', tookMs: 200 })
})
