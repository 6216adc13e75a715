import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { TeamId } from '#contract/ids.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules, type RaceRules } from '#contract/shared/raceRules.ts'
import { createToken, loginTokenKeyName } from '#server/auth/logins/issuedTokens.ts'
import { columnsOf, shippedVersion } from '#server/circuits/circuitVersion.ts'
import { type DatabaseSettings, openDatabase } from '#server/db/engines/open.ts'
import { migrate } from '#server/db/migrate.ts'
import type { Tables } from '#server/db/schema/tables.ts'
import { serverKey } from '#server/db/serverKeys.ts'
import type { LoadConnection } from './generator.ts'
import { newSubscription } from './pushReceiver.ts'

/** Cars that each drive a session in a team of their own, and their watchers, as device logins. */
export interface Seeded {
  /** Token and session of each car's driver. */
  cars: { token: string; session: string }[]
  /** Tokens of the watchers: each for `connectionsEach` connections, one car after another. */
  watchers: string[]
  /** Watching connections per car. */
  watching: number
}

/** Connections per watcher, below `CONNECTIONS_PER_USER` of the benches' servers (100). */
export const connectionsEach = 45

const digits = 11

/**
 * Inserts people, logins and sessions directly into a database that no server has open: signing up each
 * would take longer than the bench. The tokens are valid for a day. Each session has a circuit, and a race and a stint
 * of a named driver that began ten minutes ago. Each login is subscribed to notifications.
 */
export async function seed(
  settings: DatabaseSettings,
  { cars, watching }: { cars: number; watching: number },
): Promise<Seeded> {
  const watchers = Math.ceil((cars * watching) / connectionsEach)
  const database = await openDatabase(settings)
  const { db } = database
  try {
    await migrate(db)
    const key = await serverKey(db, loginTokenKeyName)
    const ids = Array.from({ length: cars + watchers }, () => randomUUID())
    const tokens = ids.map(id => createToken(key, id))
    await sql`
      with people as (
        insert into users (id, email, first_name, last_name, signed_in_at)
        select (${ids}::uuid[])[n + 1], lpad(n::text, ${digits}, '0') || '@northline.example', 'Kim', 'Tester', now()
        from generate_series(0, ${cars + watchers - 1}::int) n
        returning id, split_part(email, '@', 1)::int as number
      ), signed_in as (
        insert into logins (user_id, token_hash, expires_at)
        select
          id, sha256(convert_to((${tokens}::text[])[number + 1], 'UTF8')),
          now() + interval '1 day'
        from people
      ), racing_teams as (
        insert into teams (name)
        select lpad(n::text, ${digits}, '0') from generate_series(0, ${cars - 1}::int) n
        returning id, name::int as number
      ), racing as (
        insert into sessions (team_id, user_id, name)
        select t.id, p.id, lpad(t.number::text, ${digits}, '0')
        from racing_teams t join people p using (number)
      )
      insert into team_access (user_id, team_id)
      select p.id, t.id from racing_teams t join people p using (number)
      union
      select p.id, t.id
      from generate_series(0, ${cars * watching - 1}::int) slot
      join racing_teams t on t.number = slot / ${watching}::int
      join people p on p.number = ${cars}::int + slot / ${connectionsEach}::int
    `.execute(db)
    const rows = await db.selectFrom('sessions').select('id').orderBy('name').execute()
    await pinToZolder(db)
    await startRaces(db)
    await nameDrivers(db)
    await subscribeToPush(db)
    return {
      cars: rows.map(({ id }, n) => ({ token: tokens[n] ?? '', session: id })),
      watchers: tokens.slice(cars),
      watching,
    }
  } finally {
    await database.close()
  }
}

/**
 * Assigns all sessions the circuit that their cars drive around, as after the first kilometres of a race, so that their
 * laps are timed from the start.
 */
async function pinToZolder(db: Kysely<Tables>) {
  const values = columnsOf(shippedVersion('' as TeamId, zolder))
  await db.transaction().execute(async trx => {
    await sql`
      insert into circuits (team_id, id, name, source, newest_version)
      select id, ${zolder.id}, ${zolder.name}, 'shipped', 1 from teams
    `.execute(trx)
    await sql`
      insert into circuit_versions
        (team_id, circuit_id, version, change, outline, line, line_source, length_m, direction)
      select
        id, ${zolder.id}, 1, 'created', ${values.outline}::jsonb, ${values.line}::jsonb,
        ${values.line_source}, ${values.length_m}::int, ${values.direction}
      from teams
    `.execute(trx)
    await trx.updateTable('sessions').set({ circuit_id: zolder.id, circuit_version: 1 }).execute()
  })
}

/** Starts a race in each team ten minutes ago, with its session. `catchUp` sends the newest part of that time. */
async function startRaces(db: Kysely<Tables>) {
  const rules: RaceRules = {
    ...noRules,
    maxStintMs: 120 * minuteMs,
    minStop: { ms: 5 * minuteMs, counts: 'lane', onlyWithFuel: true },
  }
  await sql`
    with started as (
      insert into races (id, team_id, name, length_ms, rules, created_at, started_at)
      select gen_random_uuid(), id, 'Zolder 6 hours', ${360 * minuteMs}::int, ${JSON.stringify(rules)}::jsonb,
        now() - interval '1 hour', now() - interval '10 minutes'
      from teams
      returning id, team_id, started_at
    )
    update sessions s set race_id = r.id, date_started = r.started_at
    from started r where r.team_id = s.team_id
  `.execute(db)
}

/** Names the driver of each session, with an open stint. */
async function nameDrivers(db: Kysely<Tables>) {
  await sql`
    with named as (
      insert into drivers (id, team_id, position, name, user_id)
      select gen_random_uuid(), team_id, 1, 'Kim Tester', user_id from sessions
      returning id, team_id
    )
    insert into stints (session_id, id, driver_id, from_at)
    select s.id, s.id, d.id, s.date_started
    from sessions s join named d using (team_id)
  `.execute(db)
}

/** Subscribes each login to notifications, at the push service of the bench. */
async function subscribeToPush(db: Kysely<Tables>) {
  const { endpoint, p256dh, auth } = newSubscription()
  await sql`
    insert into push_subscriptions (login_id, endpoint_hash, endpoint, p256dh, auth, created_at)
    select id, sha256(convert_to(endpoint, 'UTF8')), endpoint, ${p256dh}, ${auth}, now()
    from (select id, ${endpoint} || id as endpoint from logins) l
  `.execute(db)
}

/**
 * Returns the connections of each car's driver and of all its watchers. The cars are spread evenly over their drive; the
 * first one stands in the pits. The latency of ten watchers of each car is measured, with the last one.
 */
export function connectionsOf({ cars, watchers, watching }: Seeded): LoadConnection[] {
  const sampleEvery = Math.ceil(watching / 10)
  return cars.flatMap(({ token, session }, n) => [
    { token, session, drivesFrom: n / cars.length, sampled: false },
    ...Array.from({ length: watching }, (_, each) => ({
      token: watchers[Math.floor((n * watching + each) / connectionsEach)] ?? '',
      session,
      drivesFrom: null,
      sampled: (watching - 1 - each) % sampleEvery === 0,
    })),
  ])
}
