import { expect, test } from 'vitest'
import { inPages } from './inPages.ts'

test.each([
  [[], [[]]],
  [
    [1, 2],
    [[1, 2], []],
  ],
  [
    [1, 2, 3],
    [[1, 2], [3]],
  ],
])('the pages of %j are read until one is not full', async (rows, expected) => {
  const read = async (after: number) => rows.filter(row => row > after).slice(0, 2)
  const found: number[][] = []
  for await (const page of inPages(0, read, row => row, 2)) found.push(page)
  expect(found).toEqual(expected)
})
