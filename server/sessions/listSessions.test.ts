import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lap } from '#contract/laps.ts'
import type { ListedSession } from '#contract/sessions.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { lapRow } from '#testing/database/lapRow.ts'
import { addMember } from '#testing/people/addMember.ts'
import type { Person } from '#testing/people/person.ts'
import { newestVersion, storedVersion } from '../circuits/storedCircuits.ts'

let app: TestApp
let leo: Person

beforeAll(async () => {
  app = await testApp()
  leo = await app.person('Leo', 'Garnier')
})
afterAll(() => app[Symbol.asyncDispose]())

test('all sessions are listed in pages of 40, the newest start first', async () => {
  const team = await leo.call.teams.create({ name: 'Night Owls' })
  const other = await leo.call.teams.create({ name: 'Early Birds' })
  const { id: foreign } = await leo.call.sessions.start({ teamId: other.id, name: 'Elsewhere' })
  // Pairs that start at the same time: neither is skipped between two pages.
  const rows = Array.from({ length: 81 }, (_, index) => ({
    team_id: team.id,
    user_id: leo.id,
    name: `Stint ${index}`,
    status: 'Complete' as const,
    date_started: new Date(1_700_000_000_000 + Math.floor(index / 2)),
    date_ended: new Date(1_700_000_001_000),
  }))
  await app.database.db.insertInto('sessions').values(rows).execute()
  const { id: active } = await leo.call.sessions.start({ teamId: team.id, name: 'Still on' })

  const first = await leo.call.sessions.list({ teamId: team.id })
  expect(first.sessions).toHaveLength(40)
  expect(first.sessions[0]).toMatchObject({ id: active, endedAt: null, driver: { id: leo.id } })
  expect(first.sessions[1]).toMatchObject({ name: 'Stint 80', endedAt: 1_700_000_001_000 })
  expect(first.next).not.toBeNull()
  const second = await leo.call.sessions.list({ teamId: team.id, after: first.next ?? '' })
  const third = await leo.call.sessions.list({ teamId: team.id, after: second.next ?? '' })
  expect([second.sessions.length, third.sessions.length, third.next]).toEqual([40, 2, null])
  const all = [first, second, third].flatMap(({ sessions }) => sessions)
  expect(new Set(all.map(({ id }) => id)).size).toBe(82)
  expect(all.map(({ startedAt }) => startedAt)).toEqual(
    all.map(({ startedAt }) => startedAt).sort((a, b) => b - a),
  )

  const strange = await leo.call.sessions.list({ teamId: team.id, after: foreign })
  expect(strange).toEqual({ sessions: [], next: null })
})

const firstDayMs = Date.UTC(2026, 4, 1)

/** Inserts ended sessions, one a day, and returns their ids. */
async function addSessions(teamId: string, names: readonly string[], driver = leo) {
  const rows = names.map((name, day) => ({
    team_id: teamId,
    user_id: driver.id,
    name,
    status: 'Complete' as const,
    date_started: new Date(firstDayMs + day * dayMs),
    date_ended: new Date(firstDayMs + day * dayMs + 3_600_000),
  }))
  const added = await app.database.db
    .insertInto('sessions')
    .values(rows)
    .returning(['id', 'name'])
    .execute()
  return new Map(added.map(({ id, name }) => [name, id]))
}

async function setCircuit(sessionId: string, id: string) {
  const { db } = app.database
  const { team_id } = await db
    .selectFrom('sessions')
    .select('team_id')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const { version } = await storedVersion(db, await newestVersion(db, team_id, id))
  await db
    .updateTable('sessions')
    .set({ circuit_id: id, circuit_version: version })
    .where('id', '=', sessionId)
    .execute()
  await db.insertInto('lap_timings').values({ session_id: sessionId }).execute()
}

function namesOf({ sessions }: { sessions: readonly ListedSession[] }) {
  return sessions.map(({ name }) => name)
}

test('a search finds words of name, driver and circuit in any case, without accents', async () => {
  const { id: teamId } = await leo.call.teams.create({ name: 'Night Owls' })
  const theo = await app.person('Theo', 'Ångström')
  await theo.call.users.rename({ firstName: 'Théo', lastName: 'Ångström' })
  await addMember(leo, teamId, theo)
  const ids = await addSessions(teamId, ['Qualifying', 'Race, wet', 'Race 100%_dry', 'Éclair'])
  await addSessions(teamId, ['Shakedown'], theo)
  await setCircuit(ids.get('Race, wet') ?? '', 'zolder')
  const found = async (search: string) => namesOf(await leo.call.sessions.list({ teamId, search }))

  expect(await found('race')).toEqual(['Race 100%_dry', 'Race, wet'])
  expect(await found('  WET   race ')).toEqual(['Race, wet'])
  expect(await found('zolder garnier')).toEqual(['Race, wet'])
  expect(await found('theo ANGSTROM')).toEqual(['Shakedown'])
  expect(await found('Théo')).toEqual(['Shakedown'])
  expect(await found('eclair')).toEqual(['Éclair'])
  expect(await found(theo.email)).toEqual(['Shakedown'])
  expect(await found('race nobody')).toEqual([])
})

test('a search finds the drivers of all stints by their roster names, and the car', async () => {
  const { id: teamId } = await leo.call.teams.create({ name: 'Night Owls' })
  const ids = await addSessions(teamId, ['Race', 'Practice'])
  const [race, practice] = ['Race', 'Practice'].map(name => ids.get(name) ?? '')
  const { db } = app.database
  const drivers = ['Zoë Novak', 'Kim Berg', 'Uwe Former'].map((name, position) => ({
    id: crypto.randomUUID(),
    team_id: teamId,
    position,
    name,
    user_id: null,
    archived_at: null,
  }))
  await db.insertInto('drivers').values(drivers).execute()
  await db
    .insertInto('stints')
    .values(
      [
        { driver: 0, session: race, removed: false },
        { driver: 1, session: race, removed: false },
        { driver: 1, session: practice, removed: false },
        { driver: 2, session: practice, removed: true },
      ].map(({ driver, session, removed }, minute) => ({
        id: crypto.randomUUID(),
        session_id: session!,
        driver_id: drivers[driver]!.id,
        from_at: new Date(firstDayMs + minute * 60_000),
        removed_at: removed ? new Date() : null,
      })),
    )
    .execute()
  const car = { id: crypto.randomUUID(), number: '911', position: 0, team_id: teamId }
  await db
    .insertInto('cars')
    .values({
      ...car,
      name: null,
      class: null,
      tank_l: null,
      reserve_l: null,
      burn_l: null,
      archived_at: null,
    })
    .execute()
  await db.updateTable('sessions').set({ car_id: car.id }).where('id', '=', practice!).execute()
  const found = async (search: string) => namesOf(await leo.call.sessions.list({ teamId, search }))
  expect(await found('zoe')).toEqual(['Race'])
  expect(await found('kim')).toEqual(['Practice', 'Race'])
  expect(await found('novak berg race')).toEqual(['Race'])
  expect(await found('former')).toEqual([])
  expect(await found('911')).toEqual(['Practice'])
})

test('no character of a search is a wildcard', async () => {
  const { id: teamId } = await leo.call.teams.create({ name: 'Night Owls' })
  await addSessions(teamId, ['Race 100%', 'Race_2', 'a'.repeat(80), 'back\\slash'])
  const found = async (search: string) => namesOf(await leo.call.sessions.list({ teamId, search }))
  expect(await found('%')).toEqual(['Race 100%'])
  expect(await found('_')).toEqual(['Race_2'])
  expect(await found('\\')).toEqual(['back\\slash'])
  for (const pattern of ['(a+)+$', '.*', '[a-z]', "' or true --"])
    expect(await found(pattern)).toEqual([])
})

test('a search is refused if it is too long, and a time if it is not one', async () => {
  const { id: teamId } = await leo.call.teams.create({ name: 'Night Owls' })
  for (const input of [{ search: 'a'.repeat(81) }, { search: 'a\u0000b' }, { from: Number.NaN }])
    await expect(leo.call.sessions.list({ teamId, ...input })).rejects.toMatchObject({
      code: 'invalid-input',
    })
})

test('sessions of some days are listed, from a time and before another one', async () => {
  const { id: teamId } = await leo.call.teams.create({ name: 'Night Owls' })
  await addSessions(teamId, ['Friday', 'Saturday', 'Sunday'])
  const saturday = { from: firstDayMs + dayMs, before: firstDayMs + 2 * dayMs }
  expect(namesOf(await leo.call.sessions.list({ teamId, ...saturday }))).toEqual(['Saturday'])
  const until = { teamId, before: saturday.before }
  expect(namesOf(await leo.call.sessions.list(until))).toEqual(['Saturday', 'Friday'])
})

test('pages of a search follow each other, also when a session starts in between', async () => {
  const { id: teamId } = await leo.call.teams.create({ name: 'Night Owls' })
  const names = Array.from({ length: 120 }, (_, n) => `${n % 2 === 0 ? 'Race' : 'Practice'} ${n}`)
  await addSessions(teamId, names)
  const first = await leo.call.sessions.list({ teamId, search: 'race' })
  await leo.call.sessions.start({ teamId, name: 'Race today' })
  const second = await leo.call.sessions.list({
    teamId,
    search: 'race',
    after: first.next ?? '',
  })
  expect([first.sessions.length, second.sessions.length, second.next]).toEqual([40, 20, null])
  const races = names.filter(name => name.startsWith('Race')).reverse()
  expect([...namesOf(first), ...namesOf(second)]).toEqual(races)
})

test('a listed session has its circuit, its number of laps and its best compared lap', async () => {
  const { id: teamId } = await leo.call.teams.create({ name: 'Night Owls' })
  const ids = await addSessions(teamId, ['Without laps', 'Race', 'Poor GPS'])
  const lap: Lap = {
    number: 0,
    startedAt: firstDayMs,
    timeMs: 90_000,
    plusMinusMs: 200,
    kind: 'full',
    isSeen: true,
    yellow: false,
    yellowMessage: null,
    marked: false,
  }
  const laps: Lap[] = [
    { ...lap, kind: 'out', timeMs: 60_000 },
    { ...lap, timeMs: 112_400 },
    { ...lap, timeMs: 111_800 },
    { ...lap, timeMs: 100_000, marked: true },
    { ...lap, timeMs: 100_000, yellowMessage: 'SC' },
    { ...lap, timeMs: 100_000, isSeen: false },
    { ...lap, timeMs: 100_000, kind: 'pit' },
    { ...lap, timeMs: 100_000, kind: 'in', endsAtLine: true },
    { ...lap, timeMs: 130_000, kind: 'out' },
    { ...lap, timeMs: 100_000, kind: 'in' },
  ]
  for (const name of ['Race', 'Poor GPS']) {
    const sessionId = ids.get(name) ?? ''
    await setCircuit(sessionId, 'zolder')
    await app.database.db
      .insertInto('laps')
      .values(laps.map((each, number) => lapRow(sessionId, { ...each, number })))
      .execute()
  }
  await app.database.db
    .updateTable('lap_timings')
    .set({ gps_poor: true })
    .where('session_id', '=', ids.get('Poor GPS') ?? '')
    .execute()

  const { sessions } = await leo.call.sessions.list({ teamId })
  expect(sessions).toMatchObject([
    { name: 'Poor GPS', circuit: 'Circuit Zolder', laps: 8, bestLapMs: null },
    { name: 'Race', circuit: 'Circuit Zolder', laps: 8, bestLapMs: 111_800 },
    { name: 'Without laps', circuit: null, laps: 0, bestLapMs: null },
  ])
})

test('other sessions on the same circuit are listed, of the same team only', async () => {
  const { id: teamId } = await leo.call.teams.create({ name: 'Night Owls' })
  const other = await leo.call.teams.create({ name: 'Early Birds' })
  const ids = await addSessions(teamId, ['Zolder 1', 'Spa', 'Zolder 2', 'Unknown'])
  const foreign = await addSessions(other.id, ['Elsewhere'])
  for (const name of ['Zolder 1', 'Zolder 2']) await setCircuit(ids.get(name) ?? '', 'zolder')
  await setCircuit(ids.get('Spa') ?? '', 'spa-francorchamps')
  await setCircuit(foreign.get('Elsewhere') ?? '', 'zolder')
  const like = async (sameCircuitAs = '') =>
    namesOf(await leo.call.sessions.list({ teamId, sameCircuitAs }))
  expect(await like(ids.get('Zolder 1'))).toEqual(['Zolder 2'])
  expect(await like(ids.get('Unknown'))).toEqual([])
  expect(await like(foreign.get('Elsewhere'))).toEqual([])
})

test('sessions of former members and deleted users stay in the list and are found', async () => {
  const { id: teamId } = await leo.call.teams.create({ name: 'Night Owls' })
  const [ana, noor] = [await app.person('Ana', 'Winter'), await app.person('Noor', 'Haddad')]
  for (const [driver, name] of [
    [ana, 'Stint of Ana'],
    [noor, 'Stint of Noor'],
  ] as const) {
    await addMember(leo, teamId, driver)
    await addSessions(teamId, [name], driver)
  }
  await ana.call.teams.leave({ teamId })
  await noor.call.users.delete({ email: noor.email })

  const found = (search: string) => leo.call.sessions.list({ teamId, search })
  expect((await found('winter')).sessions).toMatchObject([
    { name: 'Stint of Ana', driver: { firstName: 'Ana', lastName: 'Winter' } },
  ])
  expect((await found('haddad')).sessions).toEqual([])
  expect((await found('deleted user')).sessions).toMatchObject([
    { name: 'Stint of Noor', driver: { firstName: 'Deleted', lastName: 'user', email: null } },
  ])
  await expect(ana.call.sessions.list({ teamId })).rejects.toMatchObject({ code: 'not-a-member' })
})
