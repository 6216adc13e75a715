import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#testing/app.ts'
import { addMember } from '#testing/people/addMember.ts'
import type { Person } from '#testing/people/person.ts'

let app: TestApp
let leo: Person

beforeAll(async () => {
  app = await testApp()
  leo = await app.person('Leo', 'Garnier')
})
afterAll(() => app[Symbol.asyncDispose]())

// spec: EN-1 CA-9
test('a session starts active, with its driver and without a message', async () => {
  const team = await leo.call.teams.create({ name: 'Night Owls' })
  const before = Date.now()
  const session = await leo.call.sessions.start({ teamId: team.id, name: ' Friday practice 1 ' })
  expect(session).toMatchObject({
    teamId: team.id,
    name: 'Friday practice 1',
    status: 'Active',
    driver: { id: leo.id, firstName: 'Leo', lastName: 'Garnier', email: leo.email },
    message: { version: 0, type: null, sentAt: null },
    speedKmh: null,
    latitude: null,
    lastDriverContactAt: null,
  })
  expect(session.startedAt).toBeGreaterThanOrEqual(before - 1)
  expect(await leo.call.sessions.get({ sessionId: session.id })).toEqual(session)
})

test('concurrent starts create one session', async () => {
  const team = await leo.call.teams.create({ name: 'Night Owls' })
  const starts = await Promise.allSettled(
    Array.from({ length: 5 }, () => leo.call.sessions.start({ teamId: team.id, name: 'Stint' })),
  )
  expect(starts.filter(start => start.status === 'fulfilled')).toHaveLength(1)
  expect(starts.flatMap(start => (start.status === 'rejected' ? [start.reason.code] : []))).toEqual(
    Array(4).fill('already-driving'),
  )
  expect(await leo.call.sessions.listActive({ teamId: team.id })).toHaveLength(1)
})

test('the last ten ended sessions are listed, the newest end first', async () => {
  const team = await leo.call.teams.create({ name: 'Night Owls' })
  const names = Array.from({ length: 12 }, (_, index) => `Stint ${index + 1}`)
  const before = Date.now()
  for (const name of names) {
    await app.forgetLimits()
    const { id } = await leo.call.sessions.start({ teamId: team.id, name })
    await leo.call.sessions.end({ sessionId: id })
  }
  await leo.call.sessions.start({ teamId: team.id, name: 'Still on' })
  const ended = await leo.call.sessions.listEnded({ teamId: team.id })
  expect(ended.map(({ name }) => name)).toEqual(names.slice(2).reverse())
  expect(ended[0]).toMatchObject({ driver: { id: leo.id, firstName: 'Leo' } })
  expect(ended[0]?.endedAt).toBeGreaterThanOrEqual(before - 1)
})

test('all sessions are listed in pages of 100, the newest start first', async () => {
  const team = await leo.call.teams.create({ name: 'Night Owls' })
  const other = await leo.call.teams.create({ name: 'Early Birds' })
  const { id: foreign } = await leo.call.sessions.start({ teamId: other.id, name: 'Elsewhere' })
  // Pairs that start at the same time: neither is skipped between two pages.
  const rows = Array.from({ length: 201 }, (_, index) => ({
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
  expect(first.sessions).toHaveLength(100)
  expect(first.sessions[0]).toMatchObject({ id: active, endedAt: null, driver: { id: leo.id } })
  expect(first.sessions[1]).toMatchObject({ name: 'Stint 200', endedAt: 1_700_000_001_000 })
  expect(first.next).not.toBeNull()
  const second = await leo.call.sessions.list({ teamId: team.id, after: first.next ?? '' })
  const third = await leo.call.sessions.list({ teamId: team.id, after: second.next ?? '' })
  expect([second.sessions.length, third.sessions.length, third.next]).toEqual([100, 2, null])
  const all = [first, second, third].flatMap(({ sessions }) => sessions)
  expect(new Set(all.map(({ id }) => id)).size).toBe(202)
  expect(all.map(({ startedAt }) => startedAt)).toEqual(
    all.map(({ startedAt }) => startedAt).sort((a, b) => b - a),
  )

  const strange = await leo.call.sessions.list({ teamId: team.id, after: foreign })
  expect(strange).toEqual({ sessions: [], next: null })
})

test('a driver may drive for two teams', async () => {
  for (const name of ['Night Owls', 'Early Birds']) {
    const team = await leo.call.teams.create({ name })
    await leo.call.sessions.start({ teamId: team.id, name: 'Stint' })
    expect(await leo.call.sessions.listActive({ teamId: team.id })).toHaveLength(1)
  }
})

test('ending an ended session again changes nothing', async () => {
  const team = await leo.call.teams.create({ name: 'Night Owls' })
  const session = await leo.call.sessions.start({ teamId: team.id, name: 'Stint' })
  const ended = await leo.call.sessions.end({ sessionId: session.id })
  expect(ended.status).toBe('Complete')
  expect(await leo.call.sessions.end({ sessionId: session.id })).toEqual(ended)
  expect(await leo.call.sessions.listActive({ teamId: team.id })).toEqual([])
})

test('a session started while its driver leaves the team can be ended by the owner', async () => {
  const ana = await app.person('Ana')
  const team = await leo.call.teams.create({ name: 'Night Owls' })
  for (let n = 0; n < 5; n++) {
    await addMember(leo, team.id, ana)
    await Promise.allSettled([
      ana.call.sessions.start({ teamId: team.id, name: 'Stint' }),
      ana.call.teams.leave({ teamId: team.id }),
    ])
    for (const { id } of await leo.call.sessions.listActive({ teamId: team.id }))
      expect((await leo.call.sessions.end({ sessionId: id })).status).toBe('Complete')
  }
})

// spec: CA-13
test('active sessions are listed newest first', async () => {
  const team = await leo.call.teams.create({ name: 'Night Owls' })
  const ana = await app.person('Ana')
  await addMember(leo, team.id, ana)
  await leo.call.sessions.start({ teamId: team.id, name: 'First' })
  await ana.call.sessions.start({ teamId: team.id, name: 'Second' })
  const names = (await leo.call.sessions.listActive({ teamId: team.id })).map(each => each.name)
  expect(names).toEqual(['Second', 'First'])
})
