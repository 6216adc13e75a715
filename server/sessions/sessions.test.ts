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
