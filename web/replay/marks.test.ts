import { expect, test } from 'vitest'
import type { Lap } from '#contract/laps.ts'
import type { LoggedMessage } from '#contract/messages.ts'
import { lapMarks, linkMarks, wordMarks } from './marks.ts'

const span = { first: 0, last: 1000 }
const laps = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ number, startedAt: number })) as Lap[]

test('laps have ticks, and some of them their number', () => {
  const marks = lapMarks(laps(21), span)
  expect(marks.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
  expect(marks.filter(({ label }) => label).map(({ number }) => number)).toEqual([
    1, 4, 7, 10, 13, 16, 19,
  ])
  expect(marks[9]!.share).toBe(0.01)
  expect(lapMarks(laps(800), span).length).toBeLessThanOrEqual(100)
  expect(lapMarks([], span)).toEqual([])
})

test('a question has its question mark', () => {
  const log = [{ version: 1, type: 'Fuel', ask: true, sentAt: 10, shownAt: 10 } as LoggedMessage]
  expect(wordMarks(log, span)[0]?.word).toBe('Fuel?')
})

test('messages are where the driver saw them; words that would overlap are stacked', () => {
  const message = (version: number, sentAt: number, shownAt: number | null, type = 'Pit') =>
    ({ version, type, sentAt, shownAt }) as LoggedMessage
  const marks = wordMarks(
    [
      message(5, 950, null),
      message(4, 300, 310, null as never),
      message(3, 160, 170),
      message(2, 20, 20),
      message(1, 5, 10),
      message(6, 2000, null),
    ],
    span,
  )
  const stacked = { wide: 1, narrow: 1 }
  const first = { wide: 0, narrow: 0 }
  expect(marks.map(({ key, share, rows, isShown }) => [Number(key), share, rows, isShown])).toEqual(
    [
      [1, 0.01, first, true],
      [2, 0.02, stacked, true],
      [3, 0.17, first, true],
      [5, 0.95, first, false],
    ],
  )
})

test('a word that no row has room for is left out, on phones before wide screens', () => {
  const log = Array.from({ length: 12 }, (_, index) => {
    const at = 100 + 10 * index
    return { version: index, type: 'Pit', sentAt: at, shownAt: at } as LoggedMessage
  })
  const rows = wordMarks(log, span).map(each => each.rows)
  expect(rows.slice(0, 5).map(({ narrow }) => narrow)).toEqual([0, 1, 2, 3, 4])
  const lost = (width: 'wide' | 'narrow') => rows.filter(each => each[width] === null).length
  expect(lost('narrow')).toBeGreaterThan(lost('wide'))
})

test('a word of the team has its own colour, another message that of its word', () => {
  const sent = { sentAt: 10, shownAt: 20 }
  const marks = wordMarks(
    [
      { version: 1, type: 'BOX 2', colour: 'push', ...sent } as LoggedMessage,
      { version: 2, type: 'Code 60', ...sent } as LoggedMessage,
    ],
    span,
  )
  expect(marks.map(({ word, tone }) => [word, tone])).toEqual([
    ['BOX 2', 'push'],
    ['Code 60', 'code 60'],
  ])
})

test('ABORT and reports have their word before others, above each other if need be', () => {
  const sent = (version: number, type: string, at: number, answers: unknown[] = []) =>
    ({ version, type, sentAt: at, shownAt: at, answers }) as LoggedMessage
  const report = (kind: string, at: number) => ({ id: kind, kind, at })
  const marks = wordMarks(
    [
      sent(1, 'Push', 490),
      sent(2, 'Abort', 900),
      sent(3, 'Fuel', 100, [report('Problem', 500), report('PitThisLap', 510), report('Yes', 520)]),
      sent(4, 'Easy', 880),
    ],
    span,
  )
  expect(marks.map(({ word, rows }) => [word, rows.narrow])).toEqual([
    ['Fuel', 0],
    ['Push', 2],
    ['PROBLEM', 0],
    ['PIT THIS LAP', 1],
    ['Easy', 1],
    ['Abort', 0],
  ])
})

test('the times without a data link are on the slider as far as it goes', () => {
  const gaps = [
    { from: 0, to: 500 },
    { from: 1500, to: 2000 },
    { from: 2500, to: Number.POSITIVE_INFINITY },
  ]
  expect(linkMarks(gaps, { first: 1000, last: 3000 })).toEqual([
    { share: 0.25, width: 0.25 },
    { share: 0.75, width: 0.25 },
  ])
})
