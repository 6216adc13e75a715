import { expect, test } from 'vitest'
import type { Answer } from '#contract/answers.ts'
import { withGlassRows } from './glassRows.ts'
import type { LogRow } from './logRows.ts'

const answer: Answer = { id: 'a', number: 1, kind: 'Problem', version: 1, at: 1, receivedAt: 1 }
const row = (at: number): LogRow => ({ kind: 'report', key: String(at), at, answer })
const glass = {
  flags: [
    { flag: 'Green', at: 100, shownAt: null },
    { flag: 'Yellow', at: 350, shownAt: 360 },
  ],
  changes: [{ at: 50, parts: ['flag' as const], by: 'Ana' }],
}
const timesOf = (rows: readonly { at: number }[]) => rows.map(({ at }) => at)

test('flags and changes of the glass are listed among the messages by time', () => {
  expect(timesOf(withGlassRows([row(400), row(300), row(200)], glass, null))).toEqual([
    400, 350, 300, 200, 100, 50,
  ])
  expect(timesOf(withGlassRows([], glass, null))).toEqual([350, 100, 50])
})

test('rows older than the oldest loaded message are left out', () => {
  expect(timesOf(withGlassRows([row(400), row(300)], glass, 300))).toEqual([400, 350, 300])
})
