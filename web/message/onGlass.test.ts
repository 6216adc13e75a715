import { expect, test } from 'vitest'
import type { Answer } from '#contract/answers.ts'
import { onGlass } from './onGlass.ts'

const problem: Answer = { id: 'a', number: 1, kind: 'Problem', version: 3, at: 10, receivedAt: 11 }
const message = { version: 3 }

test('a problem fills the glass outside the pits, also after Got it and the pit exit', () => {
  const got = { ...problem, gotIt: { by: 'Ada', at: 20, number: 2 } }
  for (const report of [problem, got])
    for (const size of ['full', 'small', 'gone'] as const) {
      expect(onGlass(message, { problem: report, size, isInStop: false })).toBe('problem')
      expect(onGlass(message, { problem: report, size, isInStop: true })).toBe(
        size === 'full' ? 'message' : 'stop',
      )
    }
})

test('a problem leaves the glass once it is taken back, or a newer message arrives', () => {
  const small = { size: 'small', isInStop: false } as const
  expect(onGlass(message, { ...small, problem: { ...problem, kind: 'TakenBack' } })).toBe('laps')
  expect(onGlass({ version: 4 }, { ...small, problem })).toBe('laps')
  expect(onGlass({ version: 4 }, { ...small, problem, size: 'full' })).toBe('message')
})

test('without a problem the message, the stop or the laps fill the glass', () => {
  const none = { problem: null, size: 'gone' } as const
  expect(onGlass(message, { ...none, size: 'full', isInStop: true })).toBe('message')
  expect(onGlass(message, { ...none, isInStop: true })).toBe('stop')
  expect(onGlass(message, { ...none, isInStop: false })).toBe('laps')
})
