import { expect, test } from 'vitest'
import { testDatabase } from '#testing/database/database.ts'
import { serverKey } from './serverKeys.ts'

test('concurrent and later callers get the same key', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const keys = await Promise.all(Array.from({ length: 8 }, () => serverKey(db, 'codes')))
  keys.push(await serverKey(db, 'codes'))
  expect(new Set(keys.map(key => key.toString('hex'))).size).toBe(1)
  expect(keys[0]).toHaveLength(32)
})

test('keys of different names differ', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  expect(await serverKey(db, 'codes')).not.toEqual(await serverKey(db, 'links'))
})
