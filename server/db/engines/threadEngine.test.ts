import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDataDir } from '#testing/database/database.ts'
import { isDatabaseAway, isUniqueViolation } from '../errors.ts'
import { embeddedDatabase } from './embedded.ts'
import { openInThread } from './threadEngine.ts'

test('values, counts and errors are the same across the thread', async () => {
  await using directory = await testDataDir()
  const database = embeddedDatabase(await openInThread(join(directory.dataDir, 'db')))
  const { db } = database
  const bytes = Buffer.from([0, 255, 1])
  const { rows } = await sql`
    select ${bytes}::bytea as bytes, 9007199254740991::bigint as big, null::bytea as none,
      ${new Date(1_000)}::timestamptz as at, '{"a":[1]}'::jsonb as json, array[1, 2]::bigint[] as list
  `.execute(db)
  expect(rows).toEqual([
    {
      bytes,
      big: 9_007_199_254_740_991,
      none: null,
      at: new Date(1_000),
      json: { a: [1] },
      list: [1, 2],
    },
  ])
  expect(Buffer.isBuffer((rows[0] as { bytes: unknown }).bytes)).toBe(true)

  const id = randomUUID()
  const insert = () => db.insertInto('teams').values({ id, name: 'Owls' }).executeTakeFirst()
  expect(await insert()).toMatchObject({ numInsertedOrUpdatedRows: 1n })
  const error: unknown = await insert().catch((refused: unknown) => refused)
  expect(isUniqueViolation(error, 'teams_pkey')).toBe(true)
  await expect(sql`select * from nowhere`.execute(db)).rejects.toMatchObject({
    code: '42P01',
    message: expect.stringContaining('nowhere'),
  })
  await database.close()
})

test('a database that cannot be opened is an error', async () => {
  await using directory = await testDataDir()
  const started = openInThread(
    directory.dataDir,
    () => new Worker("throw new Error('no such disk')", { eval: true }),
  )
  await expect(started).rejects.toThrow('no such disk')
})

test('when the thread ends, all queries are rejected and the failure is reported', async () => {
  const code = `
    const { parentPort } = require('node:worker_threads')
    parentPort.on('message', ({ run }) => run === 'die' && process.exit(3))
    parentPort.postMessage({ ready: true })`
  const engine = await openInThread('', () => new Worker(code, { eval: true }))
  const database = embeddedDatabase(engine)
  const pending = [sql`select 1`, sql`die`, sql`select 2`].map(query =>
    query.execute(database.db).catch((error: unknown) => error),
  )
  engine.run('die', []).catch(() => undefined)
  expect((await Promise.all(pending)).map(isDatabaseAway)).toEqual([true, true, true])
  expect((await database.failure).message).toContain('exit code 3')
  await expect(database.ping()).rejects.toThrow('ended')
  await database.close()
})
