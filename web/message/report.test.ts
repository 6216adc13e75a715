import { expect, test } from 'vitest'
import type { Answer } from '#contract/answers.ts'
import { reportOf } from './report.ts'

function answer(kind: Answer['kind'], receivedAt: number): Answer {
  return { id: 'a', number: 1, kind, version: 0, at: receivedAt, receivedAt }
}

test('a problem is reported until it is taken back, which is reported for a minute', () => {
  const problem = answer('Problem', 0)
  const [takenBack, yes] = [answer('TakenBack', 1000), answer('Yes', 1000)]
  expect(reportOf({ answer: problem, problem, reply: null }, null, null, 1e9)).toBe(problem)
  const after = { answer: takenBack, problem: takenBack, reply: null }
  expect(reportOf(after, null, null, 60_999)).toBe(takenBack)
  expect(reportOf(after, null, null, 61_000)).toBeNull()
  expect(reportOf({ answer: yes, problem: null, reply: null }, null, null, 1000)).toBeNull()
})

test('"Pit this lap" is reported until the next pit exit', () => {
  const pit = answer('PitThisLap', 1000)
  const known = { answer: pit, problem: null, reply: null }
  expect(reportOf(known, null, 999, 2000)).toBe(pit)
  expect(reportOf(known, null, 1001, 2000)).toBeNull()
})

test('a problem that was taken back is not reported beside a newer message', () => {
  const takenBack = answer('TakenBack', 1000)
  const known = { answer: takenBack, problem: takenBack, reply: null }
  expect(reportOf(known, { type: 'Fcy', sentAt: 1001 }, null, 2000)).toBeNull()
  expect(reportOf(known, { type: 'Fcy', sentAt: 999 }, null, 2000)).toBe(takenBack)
  expect(reportOf(known, { type: null, sentAt: 1001 }, null, 2000)).toBe(takenBack)
})
