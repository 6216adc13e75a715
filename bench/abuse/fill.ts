import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { maxTimingLetters } from '#contract/shared/timingRules.ts'
import type { Tables } from '#server/db/schema/tables.ts'

/** The data that an attacker's team has stored before the presses are measured. */
export type Fill = { what: 'laps'; recordings: number } | { what: 'everything' }

/** Laps of a recording with 250,000 positions on a circuit of 210 m, as servers without a bound stored them. */
const lapsOfRecording = 50_000

/** Sessions of a race that are filled: several times as many rows as one statement reads. */
const filledSessions = 20

/** Fills the team of a session, which stays active, in a running race whose longest stint is over. */
export async function fillTeam(db: Kysely<Tables>, session: string, fill: Fill) {
  await joinRace(db, session)
  if (fill.what === 'laps') {
    await addSessions(db, session, fill.recordings)
    await addLaps(db, session, lapsOfRecording)
  } else {
    await addSessions(db, session, storedBounds.sessionsOfRace.max)
    await addLaps(db, session, storedBounds.laps.max)
    await addEntries(db, session)
    await addLists(db, session)
    await addTiming(db, session)
  }
  await sql`analyze`.execute(db)
}

/** Names the car of the session, and lets its race begin so long ago that every stint is over. */
async function joinRace(db: Kysely<Tables>, session: string) {
  const car = randomUUID()
  await sql`
    insert into cars (id, team_id, position, number)
    select ${car}::uuid, team_id, 1, '17' from sessions where id = ${session}::uuid
  `.execute(db)
  await sql`
    update races set started_at = now() - interval '90 days', length_ms = 360000000,
      rules = jsonb_set(rules, '{maxStintMs}', '60000')
    where id = (select race_id from sessions where id = ${session}::uuid)
  `.execute(db)
  await sql`update sessions set car_id = ${car}::uuid where id = ${session}::uuid`.execute(db)
}

/** Adds ended sessions of the same car to the race, each of half a day. */
async function addSessions(db: Kysely<Tables>, session: string, count: number) {
  await sql`
    insert into sessions (team_id, user_id, name, status, race_id, car_id, date_started, date_ended)
    select s.team_id, s.user_id, 'Recording ' || n, 'Complete', s.race_id, s.car_id,
      s.date_started - n * interval '14 hours', s.date_started - n * interval '14 hours' + interval '12 hours'
    from sessions s, generate_series(1, ${count}::int) n where s.id = ${session}::uuid
  `.execute(db)
}

/** Adds laps to every session of the race: 2.5 s each, as on a circuit of 210 m, or less to fit into half a day. */
async function addLaps(db: Kysely<Tables>, session: string, count: number) {
  const lapMs = Math.min(2500, (12 * 60 * 60_000) / count)
  // One session at a time: the embedded database keeps a whole statement in memory.
  for (const id of (await sessionsOfRace(db, session)).slice(0, filledSessions)) {
    const laps = id === session ? Math.min(count, storedBounds.laps.max) : count
    await sql`
      insert into laps (session_id, number, started_at, time_ms, plus_minus_ms, kind, is_seen, marked)
      select id, n, date_started + n * ${lapMs}::float8 * interval '1 millisecond', ${Math.floor(lapMs)}::int,
        100, 'full', true, false
      from sessions, generate_series(1, ${laps}::int) n where id = ${id}::uuid
    `.execute(db)
    await sql`
      insert into lap_timings (session_id, finished) select id, status = 'Complete'
      from sessions where id = ${id}::uuid
    `.execute(db)
  }
}

/** Sessions of a race, the newest first. */
async function sessionsOfRace(db: Kysely<Tables>, session: string): Promise<string[]> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('sessions as own', 'own.race_id', 'sessions.race_id')
    .select('sessions.id')
    .where('own.id', '=', session)
    .orderBy('sessions.date_started', 'desc')
    .execute()
  return rows.map(({ id }) => id)
}

/** Fills the session and the others of its race with stints, fills, visits, answers, marks and messages. */
async function addEntries(db: Kysely<Tables>, session: string) {
  const { stints, fills, pitVisits, answers, lapMarks } = storedBounds
  for (const id of (await sessionsOfRace(db, session)).slice(0, filledSessions)) {
    await sql`
      insert into stints (session_id, id, from_at)
      select id, gen_random_uuid(), date_started + n * interval '1 minute'
      from sessions, generate_series(1, ${stints.max - 1}::int) n where id = ${id}::uuid
    `.execute(db)
    await sql`
      insert into fills (session_id, id, at, litres, kind)
      select id, gen_random_uuid(), date_started + n * interval '1 minute', 20, 'part'
      from sessions, generate_series(1, ${fills.max}::int) n where id = ${id}::uuid
    `.execute(db)
    await sql`
      insert into pit_visits (session_id, started_at, ended_at)
      select id, date_started + n * interval '1 minute', date_started + n * interval '1 minute' + interval '20 seconds'
      from sessions, generate_series(1, ${pitVisits.max}::int) n where id = ${id}::uuid
    `.execute(db)
  }
  await sql`
    insert into answers (session_id, id, number, kind, version, answered_at, received_at)
    select ${session}::uuid, gen_random_uuid(), n, 'Yes', 1, now(), now()
    from generate_series(1, ${answers.max}::int) n
  `.execute(db)
  await sql`
    insert into lap_marks (session_id, at)
    select id, date_started + n * interval '1 minute'
    from sessions, generate_series(1, ${lapMarks.max}::int) n where id = ${session}::uuid
  `.execute(db)
}

/** Fills the lists of the team. */
async function addLists(db: Kysely<Tables>, session: string) {
  const {
    members,
    invitations,
    joinCodes,
    joinRequests,
    files,
    cars,
    drivers,
    races,
    rulePacks,
    importedCircuits,
    sessions,
  } = storedBounds
  const team = sql`(select team_id from sessions where id = ${session}::uuid)`
  const many = (max: number) => sql`generate_series(2, ${max}::int) n`
  await sql`
    with people as (
      insert into users (email, first_name, last_name)
      select gen_random_uuid() || '@example.com', 'Kim', 'Tester' from ${many(members.max)} returning id
    ) insert into team_access (user_id, team_id) select id, ${team} from people
  `.execute(db)
  await sql`
    insert into invitations (team_id, email, first_name, last_name, expires_at)
    select ${team}, gen_random_uuid() || '@example.com', 'Kim', 'Tester', now() + interval '1 day'
    from ${many(invitations.max)}
  `.execute(db)
  await sql`
    with shown as (
      insert into join_codes (team_id, shown_by, code, role, asks, max_uses, created_at, expires_at)
      select s.team_id, s.user_id, gen_random_uuid(), 'member', true, 50, now(), now() + interval '1 day'
      from sessions s, generate_series(1, ${joinCodes.max}::int) n where s.id = ${session}::uuid
      returning id, team_id
    ), people as (
      insert into users (first_name, last_name, is_anonymous, joined) select 'Kim', 'Tester', true, true
      from generate_series(1, ${joinRequests.max}::int) returning id
    ) insert into join_requests (team_id, user_id, code_id, created_at)
    select code.team_id, people.id, code.id, now() from people, (select * from shown limit 1) code
  `.execute(db)
  await sql`
    insert into files (team_id, name, blob_key, content_type, size_bytes)
    select ${team}, n || '.png', gen_random_uuid(), 'image/png', 1 from ${many(files.max)}
  `.execute(db)
  await sql`
    insert into cars (id, team_id, position, number)
    select gen_random_uuid(), ${team}, n, 'A' || n from ${many(cars.max)}
  `.execute(db)
  await sql`
    insert into drivers (id, team_id, position, name)
    select gen_random_uuid(), ${team}, n, 'Driver ' || n from ${many(drivers.max)}
  `.execute(db)
  await sql`
    insert into races (id, team_id, name, length_ms, rules, created_at, started_at, ended_at)
    select gen_random_uuid(), r.team_id, r.name, r.length_ms, r.rules, r.created_at, r.started_at, now()
    from races r, ${many(races.max)} where r.team_id = ${team}
  `.execute(db)
  await sql`
    insert into rule_packs (id, team_id, rules, created_at)
    select gen_random_uuid(), r.team_id, r.rules, now()
    from (select * from races where team_id = ${team} limit 1) r, ${many(rulePacks.max)}
  `.execute(db)
  await sql`
    with copied as (
      insert into circuits (team_id, id, name, source, newest_version)
      select ${team}, gen_random_uuid()::text, 'Circuit ' || n, 'imported', 1 from ${many(importedCircuits.max)}
      returning id
    )
    insert into circuit_versions
      (team_id, circuit_id, version, change, outline, line, line_source, length_m, direction)
    select v.team_id, c.id, 1, 'created', v.outline, v.line, v.line_source, v.length_m, v.direction
    from copied c, (select * from circuit_versions where team_id = ${team} limit 1) v
  `.execute(db)
  await sql`
    insert into sessions (team_id, user_id, name, status, date_ended)
    select s.team_id, s.user_id, 'Session ' || n, 'Complete', now()
    from sessions s, generate_series(1, ${sessions.max - 200}::int) n where s.id = ${session}::uuid
  `.execute(db)
}

/** The order of one car. A batch of a source has a field of them. */
const timingLine = '$G,1,"17",120,"04:10:12.345"\n'
const linesOfBatch = 400

/** Fills the official timing of the session's race. */
async function addTiming(db: Kysely<Tables>, session: string) {
  const letters = timingLine.length * linesOfBatch
  const batches = Math.floor(maxTimingLetters / letters)
  await sql`
    with feed as (
      insert into race_timings (race_id, id, source, newest, letters)
      select race_id, gen_random_uuid(), '{"kind": "push"}', ${batches}::int, ${batches * letters}::int
      from sessions where id = ${session}::uuid returning id
    ) insert into timing_batches (feed_id, number, received_at, lines)
    select feed.id, n, now(), repeat(${timingLine}::text, ${linesOfBatch}::int)
    from feed, generate_series(1, ${batches}::int) n
  `.execute(db)
  await sql`
    insert into official_flags (race_id, at, seen_at, flag)
    select race_id, now() - n * interval '1 min', now() - n * interval '1 min', 'Yellow'
    from sessions, generate_series(1, ${storedBounds.officialFlags.max}::int) n
    where id = ${session}::uuid
  `.execute(db)
}
