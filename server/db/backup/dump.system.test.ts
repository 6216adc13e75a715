import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { startBuiltServer } from '#testing/builtServer.ts'
import { temporaryDirectory } from '#testing/database/database.ts'
import { administer, databaseAt } from '#testing/database/databaseServer.ts'
import { proxiedPostgres } from '#testing/database/proxiedPostgres.ts'
import { quickStart } from '#testing/quickStart.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../engines/open.ts'
import { migrate } from '../migrate.ts'
import { clearIfRestored } from '../schema/clearIfRestored.ts'

const migrations = fileURLToPath(new URL('../schema/migrations', import.meta.url))
const page = new URL('../../../docs/OPERATIONS.md', import.meta.url)
const inContainer = 'docker compose exec -T postgres '

const postgres = await proxiedPostgres()
const hasTools = ['psql', 'pg_dump', 'pg_restore'].every(name =>
  existsSync(join(postgres?.programs ?? '', name)),
)

describe.runIf(postgres && hasTools)('a dump that is restored as docs/OPERATIONS.md says', () => {
  afterAll(() => postgres?.stop())

  test('may be older than migrations of the database, which run again', async () => {
    await using server = await ownedDatabase()
    const { db } = server.open
    await migrate(db)
    await addTeam(server.open, 'Before')
    await server.dump()
    const newer = await server.withMigration('9999_later.sql', 'create table later ()')
    await migrate(db, newer)
    await addTeam(server.open, 'After')
    const schema = await publicSchema(server.open)

    await server.restore()
    await migrate(db, newer)
    expect(await db.selectFrom('teams').select('name').execute()).toEqual([{ name: 'Before' }])
    expect((await sql`select * from later`.execute(db)).rows).toEqual([])
    expect(await publicSchema(server.open)).toEqual(schema)
  })

  test('is refused if it is from a build before 1.0.0', async () => {
    await using server = await ownedDatabase()
    const { db } = server.open
    await migrate(db)
    await sql`update kysely_migration set name = 'old_' || name`.execute(db)
    await server.dump()
    await server.restore()
    await expect(migrate(db)).rejects.toThrow('from a build of Pitboard before 1.0.0')
  })

  test('clears the screens of active sessions at the first start', async () => {
    await using server = await ownedDatabase()
    const { db } = server.open
    await migrate(db)
    await addSession(server.open)
    await server.dump()
    await db.updateTable('sessions').set({ message_version: 900 }).execute()
    await server.start()
    expect(await messageOf(server.open)).toEqual({ message_type: 'Pit', message_version: 900 })

    await server.restore()
    expect(await messageOf(server.open)).toEqual({ message_type: 'Pit', message_version: 7 })
    await server.start()
    const cleared = await messageOf(server.open)
    expect(cleared).toEqual({ message_type: null, message_version: expect.any(Number) })
    expect(cleared.message_version).toBeGreaterThan(900)
    await server.start()
    expect(await messageOf(server.open)).toEqual(cleared)
  })

  test('is detected on a server that hides its id', async () => {
    await using server = await ownedDatabase()
    const { db } = server.open
    await administer(
      server.asSuperuser,
      'revoke execute on function pg_control_system() from public',
    )
    await migrate(db)
    const warnings: unknown[] = []
    const check = () =>
      clearIfRestored(db, { warn: (fields: unknown) => void warnings.push(fields) })
    await check()
    expect(warnings).toEqual([])
    await server.dump()
    await server.restore()
    await check()
    await check()
    expect(warnings).toEqual([{ sessions: 0 }])
  })
})

/** Creates a database whose owner may do nothing else, and runs the page's commands as that owner. */
async function ownedDatabase() {
  const { url, programs } = postgres!
  const folder = await temporaryDirectory()
  await administer(url, 'create role pitboard login')
  await administer(url, 'create database pitboard owner pitboard')
  const databaseUrl = new URL(databaseAt(url, 'pitboard'))
  databaseUrl.username = 'pitboard'
  const { hostname: PGHOST, port: PGPORT } = databaseUrl
  const open = await openDatabase({ databaseUrl: databaseUrl.href, dataDir: '' })
  const commands = await commandsOfPage()
  const run = async (isMeant: (command: string) => boolean) => {
    const script = commands.filter(isMeant).join('\n')
    const env = { PGHOST, PGPORT, PATH: `${programs}:${process.env.PATH}` }
    await promisify(execFile)('sh', ['-ec', script], { cwd: folder.dataDir, env })
  }
  const isDump = (command: string) => command.startsWith('pg_dump')
  return {
    open,
    asSuperuser: databaseAt(url, 'pitboard'),
    dump: () => run(isDump),
    restore: () => run(command => !isDump(command)),
    /** Starts the built server and stops it. */
    async start() {
      const server = await startBuiltServer({
        nodeOptions: quickStart,
        settings: { DATABASE_URL: databaseUrl.href },
      })
      await server.stop()
    },
    /** A folder with our migrations and this one. */
    async withMigration(name: string, statements: string) {
      const newer = join(folder.dataDir, 'migrations')
      await cp(migrations, newer, { recursive: true })
      await writeFile(join(newer, name), statements)
      return pathToFileURL(`${newer}/`)
    },
    async [Symbol.asyncDispose]() {
      await open.close()
      await administer(url, 'drop database pitboard with (force)')
      await administer(url, 'drop role pitboard')
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** Returns the page's commands for the container of PostgreSQL, without their prefix. */
async function commandsOfPage(): Promise<string[]> {
  const [, section = ''] = (await readFile(page, 'utf8')).split('**PostgreSQL.**')
  const blocks = [...section.split('\n###')[0]!.matchAll(/```sh\n(.*?)```/gs)]
  const lines = blocks.flatMap(([, block = '']) => block.trimEnd().split('\n'))
  return lines.map(line => {
    if (!line.startsWith(inContainer)) throw new Error(`Not a command in the container: ${line}`)
    return line.slice(inContainer.length)
  })
}

async function addTeam({ db }: Database, name: string) {
  await db.insertInto('teams').values({ name }).execute()
}

async function addSession({ db }: Database) {
  const id = crypto.randomUUID()
  await db.insertInto('users').values({ id, email: 'leo@example.com' }).execute()
  await db.insertInto('teams').values({ id, name: 'Night Owls' }).execute()
  const session = { team_id: id, user_id: id, name: 'Stint 1', message_type: 'Pit' } as const
  await db
    .insertInto('sessions')
    .values({ ...session, message_version: 7 })
    .execute()
}

function messageOf({ db }: Database) {
  return db
    .selectFrom('sessions')
    .select(['message_type', 'message_version'])
    .executeTakeFirstOrThrow()
}

/** Owner and rights of the schema, which a dump does not contain. */
async function publicSchema({ db }: Database) {
  const { rows } = await sql`
    select nspowner::regrole::text as owner, nspacl::text as rights
    from pg_namespace where nspname = 'public'`.execute(db)
  return rows
}
