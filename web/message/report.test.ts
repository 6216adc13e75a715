import { expect, test } from 'vitest'
import type { Answer } from '#contract/answers.ts'
import { reportOf } from './report.ts'

function answer(kind: Answer['kind'], receivedAt: number): Answer {
  return { id: 'a', number: 1, kind, version: 0, at: receivedAt, receivedAt }
}

test('a problem is reported until it is taken back, which is reported for two minutes', () => {
  const problem = answer('Problem', 0)
  const [takenBack, yes] = [answer('TakenBack', 1000), answer('Yes', 1000)]
  expect(reportOf({ answer: problem, problem, reply: null }, 1e9)).toBe(problem)
  const after = { answer: takenBack, problem: takenBack, reply: null }
  expect(reportOf(after, 121_000)).toBe(takenBack)
  expect(reportOf(after, 121_001)).toBeNull()
  expect(reportOf({ answer: yes, problem: null, reply: null }, 1000)).toBeNull()
})
