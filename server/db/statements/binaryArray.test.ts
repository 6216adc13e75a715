import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#testing/database/database.ts'
import { binaryArray } from './binaryArray.ts'
import { prepared } from './prepared.ts'

test('binary arrays contain the same values as arrays in text', async () => {
  await using database = await testDatabase()
  const ids = [
    '00000000-0000-0000-0000-000000000000',
    'ffeeddcc-bbaa-4988-8776-655443322110',
    'A0B1C2D3-E4F5-4988-8776-655443322110',
    null,
  ]
  const flags = [true, false, null]
  const small = [2 ** 31 - 1, -(2 ** 31), null]
  const large = [8.64e15, -1, null]
  const places = [51.123456789012344, -Number.MIN_VALUE, null]
  const headings = [359.9, 5.1, null]
  const { rows } = await sql`
    ${prepared} select ${binaryArray('uuid', ids, id => id)}::text as ids,
      ${binaryArray('boolean', flags, flag => flag)}::text as flags,
      ${binaryArray('integer', small, value => value)}::text as small,
      ${binaryArray('bigint', large, value => value)}::text as large,
      ${binaryArray('float8', places, value => value)}::text as places,
      ${binaryArray('real', headings, value => value)}::text as headings
  `.execute(database.open.db)
  expect(rows).toEqual([
    {
      ids: '{00000000-0000-0000-0000-000000000000,ffeeddcc-bbaa-4988-8776-655443322110,a0b1c2d3-e4f5-4988-8776-655443322110,NULL}',
      flags: '{t,f,NULL}',
      small: '{2147483647,-2147483648,NULL}',
      large: '{8640000000000000,-1,NULL}',
      places: '{51.123456789012344,-5e-324,NULL}',
      headings: '{359.9,5.1,NULL}',
    },
  ])
})

test('a binary array has an element for each row, in their order, and may be empty', async () => {
  await using database = await testDatabase()
  const numbers = Array.from({ length: 1000 }, (_, index) => index)
  const summary = async (rows: readonly number[]) => {
    const result = await sql<{ count: number; isOrdered: boolean | null }>`
      ${prepared} select count(*)::int as count, bool_and(value = n - 1) as "isOrdered"
      from unnest(${binaryArray('integer', rows, row => row)}) with ordinality as a (value, n)
    `.execute(database.open.db)
    return result.rows[0]
  }
  expect(await summary(numbers)).toEqual({ count: 1000, isOrdered: true })
  expect(await summary([])).toEqual({ count: 0, isOrdered: null })
})
