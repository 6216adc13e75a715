// The program whose disk operations are recorded: first start, migrations, messages and fixes, checkpoints, and
// a start after a kill. Arguments: data folder, file of the journal, number of commits.
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { serialize } from 'node:v8'
import { type Kysely, sql } from 'kysely'
import { dayMs } from '#contract/shared/durations.ts'
import { embeddedDatabase } from '#server/db/engines/embedded.ts'
import { openPglite } from '#server/db/engines/openPglite.ts'
import { migrate } from '#server/db/migrate.ts'
import type { Tables } from '#server/db/schema/tables.ts'
import { Days } from '#server/telemetry/days.ts'
import { storeFixes } from '#server/telemetry/storeFixes.ts'
import { pgliteEngine } from '../database/pgliteEngine.ts'
import { recordDisk } from './journal.ts'

/** Extra data per commit, so that the write-ahead log needs new segments. */
const ballastBytes = 32 * 10_000
const fixesPerCommit = 20

const [dataDir = '', journalFile = '', count = '0'] = process.argv.slice(2)
const { writeFileSync } = fs
fs.mkdirSync(dataDir, { recursive: true })
const journal = recordDisk(dataDir)
const acknowledge = (what: string, number: number) =>
  journal.push({ do: 'acknowledge', what, count: number })

const open = async () =>
  embeddedDatabase(pgliteEngine(await openPglite(path.join(dataDir, 'db')))).db

let db = await open()
acknowledge('started', 1)
await migrate(db)
const session = await startSession(db)
acknowledge('session', 1)
const firstAt = Date.now() - 3 * dayMs
for (let n = 1; n <= Number(count); n++) {
  await sendMessage(db, n)
  acknowledge('message', n)
  await storeBatch(db, n)
  acknowledge('fix', n * fixesPerCommit)
  if (n % 13 === 0) await sql`checkpoint`.execute(db)
  if (n % 17 === 0) await sql`vacuum sessions`.execute(db)
  // Simulates a kill: nothing is closed, and the start recovers from the log.
  if (n === Math.ceil(Number(count) / 2)) db = await open()
}
await sql`select drop_positions_before('2000-01-02')`.execute(db)
writeFileSync(journalFile, serialize(journal))
process.exit()

async function startSession(database: Kysely<Tables>): Promise<string> {
  const [user, team, id] = [randomUUID(), randomUUID(), randomUUID()]
  await sql`insert into users (id, email) values (${user}, 'leo@example.com')`.execute(database)
  await sql`insert into teams (id, name) values (${team}, 'Owls')`.execute(database)
  await sql`insert into sessions (id, team_id, user_id, name)
    values (${id}, ${team}, ${user}, 'Stint 1')`.execute(database)
  await sql`create table ballast (bytes bytea)`.execute(database)
  await sql`alter table ballast alter column bytes set storage external`.execute(database)
  return id
}

/** Stores a message and the session's version in one transaction, which must be atomic. */
async function sendMessage(database: Kysely<Tables>, version: number) {
  await database.transaction().execute(async trx => {
    await sql`insert into messages (session_id, version, command_id, type, sent_by, pressed_at, sent_at)
      select id, ${version}, ${randomUUID()}, 'Pit', user_id, now(), now() from sessions`.execute(
      trx,
    )
    // Generated in the database: as a parameter it would take a third of the recording.
    await sql`insert into ballast
      select convert_to(repeat(md5(${version}::text), ${ballastBytes / 32}), 'utf8')`.execute(trx)
    await sql`update sessions set message_version = ${version}, message_type = 'Pit'`.execute(trx)
  })
  if (version % 10 === 0) await sql`truncate ballast`.execute(database)
}

async function storeBatch(database: Kysely<Tables>, n: number) {
  // Every tenth batch starts a new day, so that tables are created between writes.
  const at = firstAt + Math.floor(n / 10) * dayMs * -1 + n * 1000
  await new Days(database).make([at])
  await storeFixes(
    database,
    Array.from({ length: fixesPerCommit }, (_, each) => ({
      session,
      fix: { at: at + each, la: 50.4, lo: 5.9, v: 180, ac: 4, h: 271 },
      contactAt: Date.now(),
    })),
  )
}
