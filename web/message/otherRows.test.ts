import { expect, test } from 'vitest'
import type { Answer } from '#contract/answers.ts'
import type { LogRow } from './logRows.ts'
import { withOtherRows } from './otherRows.ts'

const answer: Answer = { id: 'a', number: 1, kind: 'Problem', version: 1, at: 1, receivedAt: 1 }
const row = (at: number): LogRow => ({ kind: 'report', key: String(at), at, answer })
const others = {
  flags: [
    { flag: 'Green', at: 100, shownAt: null },
    { flag: 'Yellow', at: 350, shownAt: 360 },
  ],
  changes: [{ at: 50, parts: ['flag' as const], by: 'Ana' }],
  dataLink: [
    { dataLink: false, at: 250, by: 'Mia' },
    { dataLink: true, at: 380, by: null },
  ],
}
const timesOf = (rows: readonly { at: number }[]) => rows.map(({ at }) => at)

test('flags and changes of the glass and of the data link are listed by time', () => {
  expect(timesOf(withOtherRows([row(400), row(300), row(200)], others, null))).toEqual([
    400, 380, 350, 300, 250, 200, 100, 50,
  ])
  expect(timesOf(withOtherRows([], others, null))).toEqual([380, 350, 250, 100, 50])
})

test('rows older than the oldest loaded message are left out', () => {
  expect(timesOf(withOtherRows([row(400), row(300)], others, 300))).toEqual([400, 380, 350, 300])
})
