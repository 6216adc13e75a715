import { expect, test } from 'vitest'
import type { Answer } from '#contract/answers.ts'
import type { LoggedMessage } from '#contract/messages.ts'
import { logRows, replyIn } from './logRows.ts'

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

test('a reply counts from when the question was shown, not the reports', () => {
  const shown = { ...message, ask: true as const, reachedAt: 1200, shownAt: 1300 }
  const yes = answer('Yes', 5300, 'Pit')
  const reply = replyIn({ ...shown, answers: [yes, answer('Problem', 6000)] })
  expect(reply).toEqual({ answer: yes, tookMs: 4000 })
  expect(replyIn({ ...shown, answers: [answer('Problem', 6000)] })).toBeNull()
})
