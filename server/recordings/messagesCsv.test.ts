import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { LoggedMessage } from '#contract/messages.ts'
import { csvOf } from './messagesCsv.ts'

test('the CSV marks a carried over message, whose press was for another phone (M11)', () => {
  const sent = { type: 'Pit' as const, pressedAt: 1000, sentAt: 61_000, shownAt: 62_000 }
  const rest = { reachedAt: 61_500, copiedAt: null, expiresAt: null, sentBy: null }
  const [head, ...rows] = csvOf([
    { version: 2, ...sent, ...rest, carriedOver: true },
    { version: 1, ...sent, ...rest },
  ]).split('\r\n')
  const cells = (row: string | undefined) =>
    ['tap to shown s', 'carried over'].map(
      name => row?.split(',')[head?.split(',').indexOf(name) ?? -1],
    )
  expect(cells(rows[0])).toEqual(['', 'yes'])
  expect(cells(rows[1])).toEqual(['61.00', ''])
})

test('the CSV says who got a problem, and which PIT the plan sent', () => {
  const problem = {
    id: randomUUID(),
    number: 1,
    kind: 'Problem' as const,
    version: 1,
    at: 3000,
    receivedAt: 3100,
    gotIt: { by: 'Mia', at: 26_000, number: 2 },
  }
  const sent = { type: 'Pit' as const, pressedAt: 1000, sentAt: 1000, shownAt: 1200 }
  const rest = { reachedAt: 1100, copiedAt: 2000, expiresAt: null, sentBy: null }
  const [head, row] = csvOf([
    { version: 1, ...sent, ...rest, byPlan: true, answers: [problem] },
  ]).split('\r\n')
  const names = head?.split(',') ?? []
  const cell = (name: string) => row?.split(',')[names.indexOf(name)]
  expect(['acknowledged', 'answers', 'got it', 'got it by', 'by plan'].map(cell)).toEqual([
    '1970-01-01T00:00:02.000Z',
    'Problem',
    '1970-01-01T00:00:26.000Z',
    'Mia',
    'yes',
  ])
})

test('CSV cells cannot start a formula; commas, quotes and line breaks are escaped', () => {
  const line = (firstName: string): LoggedMessage => ({
    version: 1,
    type: 'Go',
    pressedAt: 1000,
    sentAt: 1100,
    reachedAt: 1200,
    shownAt: 1350,
    copiedAt: null,
    expiresAt: null,
    sentBy: { id: randomUUID(), firstName, lastName: null, email: null },
  })
  expect(csvOf([line('=1+1')])).toContain(",'=1+1,")
  // Some spreadsheets begin a new cell at a semicolon.
  expect(csvOf([line('Ana;=1+1')])).toContain(",Ana;'=1+1,")
  expect(csvOf([line('Ana; "@SUM(A1)')])).toContain(`,"Ana;' ""@SUM(A1)",`)
  expect(csvOf([line('Anne-Marie; Ana')])).toContain(',Anne-Marie; Ana,')
  expect(csvOf([line('Ana "Ace", PhD')])).toContain(',"Ana ""Ace"", PhD",')
  expect(csvOf([line('Ana')])).toContain(',0.35,,,,,,,\r\n')
  expect(csvOf([line('\t=1+1'), line('＝1')])).toMatch(/,'\t=1\+1,.*\r\n.*,'＝1,.*\r\n$/)
  expect(csvOf([line('Ana\nBo')])).toContain(',"Ana\nBo",')
  expect(csvOf([])).toMatch(/^version,[^\r\n]+\r\n$/)
})
