import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TeamId } from '#contract/ids.ts'
import type { RefusalDetail } from '#contract/shared/refusalDetails.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { newCar } from '#testing/people/roster.ts'

let app: TestApp
let ana: Person
let leo: Person

beforeAll(async () => {
  app = await testApp()
  ana = await app.person('Ana')
  leo = await app.person('Leo')
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => app.forgetLimits())

const refusedWith = (detail: RefusalDetail) => ({ code: 'invalid-input', detail })

/** Adds people to a team until it has as many as it may have. */
async function fillWithMembers(teamId: TeamId, already: number) {
  await sql`
    with people as (
      insert into users (email) select gen_random_uuid() || '@example.com'
      from generate_series(1, ${storedBounds.members.max - already}::int) returning id
    )
    insert into team_access (user_id, team_id) select id, ${teamId}::uuid from people
  `.execute(app.database.db)
}

test('a member too many is refused, and can accept once another one left', async () => {
  const team = await createTeam(ana, [leo], 'Full')
  await fillWithMembers(team.id, 2)
  const kim = await app.person('Kim')
  const { id } = await ana.call.teams.invite({ teamId: team.id, ...kim.details })
  const accept = () => kim.call.teams.accept({ invitationId: id })
  await expect(accept()).rejects.toMatchObject(refusedWith('members-too-many'))
  await leo.call.teams.leave({ teamId: team.id })
  await accept()
  expect(await ana.call.teams.members({ teamId: team.id })).toHaveLength(storedBounds.members.max)
})

test('a team too many is refused, whether it is created or joined', async () => {
  const max = await app.person('Max')
  await sql`
    with made as (
      insert into teams (name) select 'Team ' || n
      from generate_series(1, ${storedBounds.teams.max}::int) n returning id
    )
    insert into team_access (user_id, team_id) select ${max.id}::uuid, id from made
  `.execute(app.database.db)
  const refused = refusedWith('teams-too-many')
  await expect(max.call.teams.create({ name: 'One more' })).rejects.toMatchObject(refused)
  const team = await createTeam(ana, [], 'Inviting')
  const { id } = await ana.call.teams.invite({ teamId: team.id, ...max.details })
  await expect(max.call.teams.accept({ invitationId: id })).rejects.toMatchObject(refused)
  expect(await max.call.teams.list()).toHaveLength(storedBounds.teams.max)
})

test('a session too many is refused', async () => {
  const team = await createTeam(ana, [], 'Busy')
  await sql`
    insert into sessions (team_id, user_id, name, status, date_ended)
    select ${team.id}::uuid, ${ana.id}::uuid, 'Stint', 'Complete', now()
    from generate_series(1, ${storedBounds.sessions.max}::int)
  `.execute(app.database.db)
  await expect(
    ana.call.sessions.start({ teamId: team.id, name: 'One more' }),
  ).rejects.toMatchObject(refusedWith('sessions-too-many'))
})

test('archived cars count, too', async () => {
  const team = await createTeam(ana, [], 'Museum')
  await sql`
    insert into cars (id, team_id, position, number, archived_at)
    select gen_random_uuid(), ${team.id}::uuid, n, n, now()
    from generate_series(1, ${storedBounds.rosterEntries.max}::int) n
  `.execute(app.database.db)
  const saved = ana.call.roster.saveCar({ teamId: team.id, car: newCar('999') })
  await expect(saved).rejects.toMatchObject(refusedWith('roster-entries-too-many'))
})

test('laps are listed in pages; a mark too many is refused', async () => {
  const team = await createTeam(ana, [], 'Endurance')
  const { id: sessionId, startedAt } = await ana.call.sessions.start({
    teamId: team.id,
    name: 'Stint 1',
  })
  const { laps, lapMarks } = storedBounds
  const { db } = app.database
  await sql`
    insert into laps (session_id, number, started_at, time_ms, plus_minus_ms, kind, is_seen, marked)
    select ${sessionId}::uuid, n, ${new Date(startedAt)}::timestamptz + n * interval '6 s', 6000, 100,
      'full', true, false
    from generate_series(1, ${laps.max}::int) n`.execute(db)
  await sql`insert into lap_timings (session_id) values (${sessionId}::uuid)`.execute(db)
  await sql`
    insert into lap_marks (session_id, at)
    select ${sessionId}::uuid, ${new Date(startedAt)}::timestamptz + n * interval '6 s' + interval '3 s'
    from generate_series(1, ${lapMarks.max}::int) n`.execute(db)

  const sizes: number[] = []
  const numbers: number[] = []
  for (let after: number | undefined = undefined; ; ) {
    const page: { laps: { number: number }[]; next?: number | undefined } =
      await ana.call.laps.list({ sessionId, ...(after !== undefined && { after }) })
    sizes.push(page.laps.length)
    numbers.push(...page.laps.map(({ number }) => number))
    if (page.next === undefined) break
    after = page.next
  }
  expect(sizes).toEqual([1000, 1000, 1000, 1000, 1000])
  expect(numbers).toEqual(Array.from({ length: laps.max }, (_, index) => index + 1))

  const mark = (number: number) =>
    ana.call.laps.mark({ sessionId, at: startedAt + number * 6000 + 3000, marked: true })
  await expect(mark(lapMarks.max + 1)).rejects.toMatchObject(refusedWith('marks-too-many'))
})
