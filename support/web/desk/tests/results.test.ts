import { expect, test } from 'vitest'
import { durationText, resultsOf } from './results.ts'

const userId = '0b6e3c1e-58ab-4d05-9c3f-0d1a5a7c9f10'
const tasks = ['Open a session', 'Where is the car?', 'Send PIT'].map(title => ({
  title,
  description: '',
  allowTyping: false,
}))
const made = { id: 1, createdAt: 0, title: 'Map', guidelines: '', tasks, people: [] }

function signal(
  task: number | null,
  status: 'begin' | 'done' | 'skipped',
  more: { at?: number; durationMs?: number; answer?: string; userId?: string } = {},
) {
  return { userId, task, status, at: 1, durationMs: 0, answer: null, ...more }
}

test('results show the whole test first, then each task with its progress', () => {
  const signals = [
    signal(null, 'begin'),
    signal(1, 'begin'),
    signal(1, 'done', { durationMs: 1500 }),
    signal(2, 'begin'),
    signal(3, 'done', { userId: 'somebody else' }),
  ]
  expect(resultsOf({ ...made, signals }, userId)).toEqual([
    { title: 'Whole test', status: 'begun', durationMs: null, answer: null },
    { title: 'Open a session', status: 'done', durationMs: 1500, answer: null },
    { title: 'Where is the car?', status: 'begun', durationMs: null, answer: null },
    { title: 'Send PIT', status: 'notReached', durationMs: null, answer: null },
  ])
})

test('a repeated test shows the latest result', () => {
  const signals = [
    signal(1, 'done', { at: 5, durationMs: 900, answer: 'In Eau Rouge' }),
    signal(1, 'skipped', { at: 3, durationMs: 100 }),
  ]
  expect(resultsOf({ ...made, signals }, userId)[1]).toMatchObject({
    status: 'done',
    durationMs: 900,
    answer: 'In Eau Rouge',
  })
})

test.each([
  [0, '0.0 s'],
  [12_340, '12.3 s'],
  [59_940, '59.9 s'],
  [59_960, '1 min 0 s'],
  [192_000, '3 min 12 s'],
])('%d ms is shown as %s', (durationMs, text) => {
  expect(durationText(durationMs)).toBe(text)
})
