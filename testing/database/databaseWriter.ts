// A program for tests of the embedded database: writes pairs of rows until it is killed, and prints the
// number of each committed pair. Arguments: the data directory and the first number.
import { writeSync } from 'node:fs'
import { sql } from 'kysely'
import { openDatabase } from '#server/db/engines/open.ts'

const stdout = 1
const [dataDir = '', first = '0'] = process.argv.slice(2)

const { db } = await openDatabase({ dataDir })
for (let n = Number(first); ; n++) {
  await db.transaction().execute(async trx => {
    await trx
      .insertInto('teams')
      .values({ name: `${n} a` })
      .execute()
    await trx
      .insertInto('teams')
      .values({ name: `${n} b` })
      .execute()
  })
  if (n % 25 === 0) await sql`checkpoint`.execute(db)
  writeSync(stdout, `${n}\n`)
}
