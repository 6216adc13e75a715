import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { embeddedDatabase } from './embedded.ts'
import type { EmbeddedEngine } from './engine.ts'

/** An engine whose statements take as long as the test lets them. */
function slowEngine(): EmbeddedEngine {
  return {
    async run(statement) {
      const until = performance.now() + (statement.includes('slow') ? 710 : 0)
      while (performance.now() < until);
      return { rows: [] }
    },
    close: async () => undefined,
    generation: 0,
    failure: new Promise(() => undefined),
  }
}

test('a read that took too long is reported, without its parameters', async () => {
  const warnings: unknown[] = []
  const { readDb, db } = embeddedDatabase(slowEngine(), warning => warnings.push(warning))
  await sql`select quick`.execute(readDb)
  await sql`select slow`.execute(db)
  expect(warnings).toEqual([])
  await sql`select slow where name = ${'secret'}`.execute(readDb)
  expect(String(warnings)).toMatch(
    /^Error: A statement took \d{3,} ms: select slow where name = \$1$/,
  )
})
