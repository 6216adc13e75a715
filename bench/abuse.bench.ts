import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { openDatabase } from '#server/db/engines/open.ts'
import { newDataDir, startBuiltServer } from '#testing/builtServer.ts'
import { startPostgres } from '../scripts/environment/postgres.mjs'
import { attackBy } from './abuse/attackers.ts'
import { fillTeam } from './abuse/fill.ts'
import { type MeasuredCar, measure, type Reading } from './abuse/meter.ts'
import { type Row, rowsWith } from './abuse/rows.ts'
import type { Figures } from './figures.ts'
import { startPushReceiver } from './load/pushReceiver.ts'
import { connectionsEach, type Seeded, seed } from './load/seed.ts'
import type { Bench } from './main.ts'

const targetP99Ms = { embedded: 500, postgres: 300 } as const
const presses = 40
/** Presses of the baseline, which is measured before each row. */
const baselinePresses = 15
const loggedMessages = 2000
/** The team's network address, which the attacker shares. */
const paddock = '203.0.113.7'

type Engine = keyof typeof targetP99Ms

export const bench: Bench = {
  question:
    'latency of a message from the press to the driver during one attack, or beside expensive data',
  async run({ engine, row = '', profile }) {
    const rows = rowsWith(row)
    const engines: Engine[] = engine === undefined ? ['embedded', 'postgres'] : [engine]
    const figures: Figures = {}
    for (const each of engines) Object.assign(figures, await onEngine(each, { rows, profile }))
    return figures
  },
}

interface Plan {
  rows: readonly Row[]
  profile: string | undefined
}

async function onEngine(engine: Engine, { rows, profile }: Plan): Promise<Figures> {
  const postgres = engine === 'postgres' ? await startPostgres({ durable: true }) : null
  if (engine === 'postgres' && !postgres) {
    console.log('Skipping PostgreSQL: it is not installed.')
    return {}
  }
  const dataDir = await newDataDir()
  const databaseUrl = postgres?.url
  const push = await startPushReceiver()
  try {
    // Each row has its own car, and one more for the attacker.
    const seeded = await seed(
      { dataDir, databaseUrl },
      { cars: rows.length * 2, watching: connectionsEach },
    )
    const owners = await prepare({ dataDir, databaseUrl }, { rows, seeded })
    const server = await startBuiltServer({
      dataDir,
      settings: {
        ...push.settings,
        TRUST_PROXY: '127.0.0.1',
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      },
      nodeOptions: profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`],
    })
    try {
      const url = server.url.replace('localhost', '127.0.0.1')
      return await runRows(engine, rows, { url, seeded, owners })
    } finally {
      await server.stop()
    }
  } finally {
    await push.stop()
    await postgres?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

interface Scene {
  url: string
  seeded: Seeded
  /** Team and race of the session of each car, in the same order. */
  owners: Owner[]
}

/** The ids of the team and the race that a session belongs to. */
interface Owner {
  team: string
  race: string
}

async function runRows(engine: Engine, rows: readonly Row[], scene: Scene): Promise<Figures> {
  const figures: Figures = {}
  const table: Record<string, object> = {}
  const missed: string[] = []
  for (const [n, row] of rows.entries()) {
    const reading = await runRow(row, n, scene)
    table[row.name] = reading
    console.log(row.name, JSON.stringify(reading))
    if (isMissed(engine, reading)) missed.push(row.name)
    for (const key of ['p50Ms', 'p99Ms', 'receipts', 'baselineP99Ms'] as const)
      figures[`${engine} ${row.name} ${key}`] = reading[key]
  }
  console.log(`${engine}: press to the driver's connection, ${presses} presses a row`)
  console.table(table)
  return { ...figures, [`${engine} missed`]: missed.join(', ') || 'none' }
}

async function runRow({ name, attack, type, isAllowed }: Row, n: number, scene: Scene) {
  const { url, seeded, owners } = scene
  const [own, theirs] = [seeded.cars[n * 2], seeded.cars[n * 2 + 1]]
  const member = seeded.watchers[n * 2]
  const owner = owners[n * 2 + 1]
  if (!own || !theirs || !member || !owner) throw new Error('The seeded data is incomplete')
  const measured: MeasuredCar = {
    url,
    session: own.session,
    driver: own.token,
    member,
    from: paddock,
  }
  const attacker = { url, ...theirs, ...owner, from: paddock }
  // The other processes of the machine change within minutes.
  const baseline = await measure(measured, type ?? 'Pit', baselinePresses)
  const running = await attackBy(attacker, attack)
  try {
    const reading = await measure(measured, type ?? 'Pit', presses)
    const { sent, refused, failed, closed } = await running.stop()
    if (failed > 0) throw new Error(`${name}: the server answered ${failed} calls with an error`)
    if (sent === 0 && attack.do !== 'nothing') throw new Error(`${name}: nothing was sent`)
    if (isAllowed && sent <= refused + closed) throw new Error(`${name}: every call was refused`)
    return { ...reading, baselineP99Ms: baseline.p99Ms, sent, refused, closed }
  } catch (error) {
    await running.stop()
    throw error
  }
}

function isMissed(engine: Engine, { presses: all, arrived, receipts, p99Ms }: Reading): boolean {
  return p99Ms >= targetP99Ms[engine] || arrived < all || receipts < all
}

/** Fills what each row stores, and inserts a log of messages for each session of an attacker. Returns the owners of the cars' sessions. */
async function prepare(
  settings: Parameters<typeof openDatabase>[0],
  { rows, seeded: { cars } }: { rows: readonly Row[]; seeded: Seeded },
) {
  const database = await openDatabase(settings)
  const { db } = database
  try {
    const rowsOf = await db.selectFrom('sessions').select(['id', 'team_id', 'race_id']).execute()
    const ownerOf = new Map(
      rowsOf.map(({ id, team_id, race_id }) => [id, { team: team_id, race: race_id ?? '' }]),
    )
    for (const [n, { session }] of cars.entries()) {
      if (n % 2 === 0) continue
      await sql`
        insert into messages (session_id, version, command_id, type, sent_by, pressed_at, sent_at)
        select s.id, n, gen_random_uuid(), 'Pit', s.user_id, now(), now()
        from sessions s, generate_series(1, ${loggedMessages}::int) n where s.id = ${session}
      `.execute(db)
      await sql`
        update sessions set message_version = ${loggedMessages}, message_type = 'Pit'
        where id = ${session}
      `.execute(db)
      const { fill } = rows[(n - 1) / 2] ?? {}
      if (fill) await fillTeam(db, session, fill)
    }
    return cars.map(({ session }) => ownerOf.get(session) ?? { team: '', race: '' })
  } finally {
    await database.close()
  }
}
