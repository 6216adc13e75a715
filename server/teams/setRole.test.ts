import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SessionId, TeamId } from '#contract/ids.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { subscribedConnection } from '#testing/live/liveScene.ts'
import { addMember } from '#testing/people/addMember.ts'
import type { Person } from '#testing/people/person.ts'
import { callLimits } from '../http/callLimits.ts'

let app: TestApp
/** Creates the team, so she owns it. */
let ana: Person
let leo: Person
let teamId: TeamId

beforeAll(async () => {
  app = await testApp()
  ;[ana, leo] = [await app.person('Ana'), await app.person('Leo')]
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  await app.forgetLimits()
  teamId = (await ana.call.teams.create({ name: 'Night Owls' })).id
  await addMember(ana, teamId, leo)
})

const send = (person: Person, sessionId: SessionId) =>
  person.call.messages.set({ sessionId, type: 'Pit', commandId: randomUUID() })

// spec: RO-4 RO-5
test('a viewer sees the team and changes nothing, until made a member again', async () => {
  const session = await ana.call.sessions.start({ teamId, name: 'Stint 1' })
  await ana.call.teams.setRole({ teamId, userId: leo.id, role: 'viewer' })

  expect(await leo.call.teams.get({ teamId })).toMatchObject({ role: 'viewer', ownerId: ana.id })
  const watching = await subscribedConnection(leo, `session:${session.id}`)
  await send(ana, session.id)
  expect((await watching.next('message')).message.type).toBe('Pit')
  const viewOnly = { code: 'view-only' }
  await expect(send(leo, session.id)).rejects.toMatchObject(viewOnly)
  await expect(leo.call.sessions.start({ teamId, name: 'Stint 2' })).rejects.toMatchObject(viewOnly)

  await ana.call.teams.setRole({ teamId, userId: leo.id, role: 'member' })
  expect((await send(leo, session.id)).version).toBe(2)
})

test('a driver who becomes a viewer still ends their own session', async () => {
  const session = await leo.call.sessions.start({ teamId, name: 'Stint 1' })
  await ana.call.teams.setRole({ teamId, userId: leo.id, role: 'viewer' })
  expect((await leo.call.sessions.end({ sessionId: session.id })).status).toBe('Complete')
})

test('the owner hands the team over and becomes a member', async () => {
  await ana.call.teams.setRole({ teamId, userId: leo.id, role: 'viewer' })
  const handed = await ana.call.teams.setRole({ teamId, userId: leo.id, role: 'owner' })
  expect(handed).toMatchObject({ id: leo.id, role: 'member' })

  expect((await leo.call.teams.get({ teamId })).ownerId).toBe(leo.id)
  await expect(
    ana.call.teams.setRole({ teamId, userId: leo.id, role: 'viewer' }),
  ).rejects.toMatchObject({ code: 'not-the-owner' })
  await leo.call.teams.setRole({ teamId, userId: ana.id, role: 'viewer' })
  expect((await ana.call.teams.get({ teamId })).role).toBe('viewer')
})

test('the owner cannot become a viewer without handing the team over', async () => {
  await expect(
    ana.call.teams.setRole({ teamId, userId: ana.id, role: 'viewer' }),
  ).rejects.toMatchObject({ code: 'invalid-input' })
  expect(await ana.call.teams.setRole({ teamId, userId: ana.id, role: 'owner' })).toMatchObject({
    role: 'member',
  })
})

test('an owner who leaves is succeeded by a member, not by a viewer', async () => {
  const kim = await app.person('Kim')
  await addMember(ana, teamId, kim)
  await ana.call.teams.setRole({ teamId, userId: leo.id, role: 'viewer' })
  await ana.call.teams.leave({ teamId })
  expect((await kim.call.teams.get({ teamId })).ownerId).toBe(kim.id)

  const heir = await leo.connect()
  await kim.call.teams.leave({ teamId })
  expect(await heir.next('team-changed')).toMatchObject({ team: teamId })
  expect(await leo.call.teams.get({ teamId })).toMatchObject({ ownerId: leo.id, role: 'member' })
})

test('a change of role is published to the team, and every member is notified', async () => {
  const kim = await app.person('Kim')
  await addMember(ana, teamId, kim)
  const inTeam = await subscribedConnection(kim, `team:${teamId}`)
  const [former, next] = [await ana.connect(), await leo.connect()]

  await ana.call.teams.setRole({ teamId, userId: leo.id, role: 'owner' })

  expect(await inTeam.next('member-changed')).toMatchObject({
    team: teamId,
    member: { id: leo.id, role: 'member' },
  })
  for (const connection of [inTeam, former, next])
    expect(await connection.next('team-changed')).toMatchObject({ team: teamId })
})

test('a role that a member has already is neither recorded nor published', async () => {
  const pit = await subscribedConnection(ana, `team:${teamId}`)
  const setRole = (userId: string, role: 'owner' | 'viewer' | 'member') =>
    ana.call.teams.setRole({ teamId, userId, role })
  for (let n = 0; n < 3; n++) {
    expect(await setRole(leo.id, 'viewer')).toMatchObject({ role: 'viewer' })
    expect(await setRole(ana.id, 'owner')).toMatchObject({ role: 'member' })
  }
  await pit.roundTrip()
  expect(pit.received('member-changed')).toHaveLength(1)
  const { changes } = await ana.call.teams.changes({ teamId })
  expect(changes.map(({ kind }) => kind)).toEqual(['made-viewer', 'joined', 'invited', 'created'])
})

test('an owner renames a team at most 120 times an hour', async () => {
  const rename = (n: number) => ana.call.teams.rename({ teamId, name: `Night Owls ${n}` })
  for (let n = 0; n < callLimits.rare.limit; n++) await rename(n)
  const tooMany = { code: 'too-many', retryAfterSeconds: expect.any(Number) }
  await expect(rename(-1)).rejects.toMatchObject(tooMany)
  // Other calls are counted by themselves.
  await ana.call.teams.setRole({ teamId, userId: leo.id, role: 'viewer' })
  await ana.call.teams.removeMember({ teamId, userId: leo.id })
  await ana.call.teams.leave({ teamId })
})

test('people outside the team have no role to change', async () => {
  const kim = await app.person('Kim')
  await expect(
    ana.call.teams.setRole({ teamId, userId: kim.id, role: 'viewer' }),
  ).rejects.toMatchObject({ code: 'not-found' })
  await expect(
    kim.call.teams.setRole({ teamId, userId: leo.id, role: 'viewer' }),
  ).rejects.toMatchObject({ code: 'not-a-member' })
})
