import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import type { ListedSession } from '#contract/sessions.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { openDatabase } from '#server/db/engines/open.ts'
import { newDataDir, startBuiltServer } from '#testing/builtServer.ts'
import { seed } from './load/seed.ts'
import type { Bench } from './main.ts'
import { percentile } from './statistics.ts'

/** Twenty sessions on each weekend of a year: a team with several cars. */
const sessionsOfYear = 1000
const lapsPerSession = 40
const drivers = 20
const rounds = 9
/** The id of a circuit that the team has driven on and not named. */
const learnedId = '00000000-0000-4000-8000-000000000001'
/** Tokens, so that no login exceeds its calls per minute. */
const readers = 10

export const bench: Bench = {
  question:
    'time to list and to search the sessions of a year, with their laps, on the embedded database',
  async run() {
    const dataDir = await newDataDir()
    try {
      const { watchers } = await seed({ dataDir }, { cars: 1, watching: 45 * readers })
      const teamId = await addYear(dataDir)
      const server = await startBuiltServer({ build: process.env.BENCH_BUILD ?? 'dist', dataDir })
      try {
        const reader = new Reader(server.url, teamId, watchers)
        return {
          sessions: sessionsOfYear,
          firstPageMs: await median(() => reader.page({}), 100),
          yearMs: await median(() => reader.all({}), sessionsOfYear),
          searchMs: await median(() => reader.all({ search: 'race driver7@' }), 25),
          emptySearchMs: await median(() => reader.all({ search: 'zolder nobody' }), 0),
        }
      } finally {
        await server.stop()
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

/** Adds a year of sessions to the seeded team, on Zolder and on a learned circuit. Returns the id of the team. */
async function addYear(dataDir: string): Promise<string> {
  const database = await openDatabase({ dataDir })
  const { db } = database
  try {
    const team = await db.selectFrom('teams').select('id').executeTakeFirstOrThrow()
    await db
      .insertInto('circuits')
      .values({ team_id: team.id, id: learnedId, name: null, source: 'learned' })
      .execute()
    await sql`
      with people as (
        insert into users (email, first_name, last_name)
        select 'driver' || n || '@northline.example', 'Kim', 'Driver ' || n
        from generate_series(0, ${drivers - 1}::int) n
        returning id, split_part(last_name, ' ', 2)::int as number
      ), year as (
        insert into sessions (
          team_id, user_id, name, status, circuit_id, date_started, date_ended
        )
        select
          ${team.id}, p.id, case when n % 40 < 20 then 'Race ' else 'Practice ' end || n, 'Complete',
          case when n % 40 < 20 then ${zolder.id} else ${learnedId} end,
          now() - n * interval '8 hours', now() - n * interval '8 hours' + interval '1 hour'
        from generate_series(1, ${sessionsOfYear - 1}::int) n
        join people p on p.number = n % ${drivers}::int
        returning id, date_started, name
      ), timed as (
        insert into lap_timings (session_id, finished) select id, true from year
      )
      insert into laps (session_id, number, started_at, time_ms, plus_minus_ms, kind, is_seen)
      select id, lap, date_started + lap * interval '112 seconds', 112000 + lap, 200, 'full', true
      from year cross join generate_series(1, ${lapsPerSession}::int) lap
      order by id, lap`.execute(db)
    return team.id
  } finally {
    await database.close()
  }
}

interface Page {
  sessions: ListedSession[]
  next: string | null
}

/** Reads lists as a device does, with one token after another. */
class Reader {
  readonly #url: string
  readonly #teamId: string
  readonly #tokens: readonly string[]
  #calls = 0

  constructor(url: string, teamId: string, tokens: readonly string[]) {
    this.#url = url
    this.#teamId = teamId
    this.#tokens = tokens
  }

  async page(input: Record<string, string>): Promise<Page> {
    const token = this.#tokens[this.#calls++ % this.#tokens.length] ?? ''
    const query = new URLSearchParams({ teamId: this.#teamId, ...input })
    const response = await fetch(`${this.#url}/api/sessions.list?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!response.ok) throw new Error(`sessions.list responded with ${response.status}`)
    return (await response.json()) as Page
  }

  /** Reads one page after another. */
  async all(input: Record<string, string>): Promise<Page> {
    const sessions: ListedSession[] = []
    for (let next: string | null = ''; next !== null; ) {
      const page: Page = await this.page({ ...input, ...(next && { after: next }) })
      for (const session of page.sessions) sessions.push(session)
      next = page.next
    }
    return { sessions, next: null }
  }
}

/** The median time of a read, in milliseconds, after one that warms up. Throws if it did not find everything. */
async function median(read: () => Promise<Page>, expected: number): Promise<number> {
  const times: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const startedAt = performance.now()
    const { sessions } = await read()
    if (round > 0) times.push(performance.now() - startedAt)
    if (new Set(sessions.map(({ id }) => id)).size !== expected)
      throw new Error(`Listed ${sessions.length} sessions instead of ${expected}`)
  }
  return Math.round(percentile(times, 50) * 10) / 10
}
