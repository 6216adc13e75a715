import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fix, type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { addMember } from '#testing/people/addMember.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'

let scene: LiveScene
let ana: Person
let leo: Person
let kim: Person

beforeAll(async () => {
  scene = await liveScene()
  ;({ ana, leo } = scene)
  kim = await scene.app.person('Kim')
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.app.forgetLimits())

/** Ana's team with Leo and then Kim. */
async function newTeam() {
  const team = await createTeam(ana, [leo], 'Night Owls')
  await addMember(ana, team.id, kim)
  return team.id
}

async function ownerOf(teamId: string, asSeenBy: Person) {
  return (await asSeenBy.call.teams.get({ teamId })).ownerId
}

test('a removed member keeps no access, and their connections leave the rooms', async () => {
  const { team, session } = await scene.newSession()
  const pit = await subscribedConnection(ana, `team:${team.id}`)
  const own = await subscribedConnection(leo, `team:${team.id}`)

  await ana.call.teams.removeMember({ teamId: team.id, userId: leo.id })

  expect(await own.next('team-removed')).toMatchObject({ team: team.id })
  expect(await pit.next('member-removed')).toMatchObject({ member: leo.id })
  expect((await ana.call.teams.members({ teamId: team.id })).map(({ id }) => id)).toEqual([ana.id])
  for (const call of [
    () => leo.call.teams.get({ teamId: team.id }),
    () => leo.call.sessions.get({ sessionId: session.id }),
    () => leo.call.messages.set({ sessionId: session.id, type: 'Abort', commandId: randomUUID() }),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: 'not-a-member' })
  }
  await ana.call.teams.invite({ teamId: team.id, ...kim.details })
  await own.roundTrip()
  expect(own.received('invited-added')).toEqual([])
})

// spec: RO-3
test('the phone of a removed driver is refused, and the owner can end the session', async () => {
  const { team, session } = await scene.newSession()
  const car = await scene.drivingConnection(session.id)
  await ana.call.teams.removeMember({ teamId: team.id, userId: leo.id })

  expect(await car.next('refused')).toMatchObject({
    room: `session:${session.id}`,
    code: 'not-a-member',
  })
  car.send(fix())
  expect((await car.next('refused')).code).toBe('not-a-member')
  car.send({ t: 'drive', session: session.id })
  expect(await car.next('refused')).toMatchObject({ re: 'drive', code: 'not-a-member' })
  const sessionId = session.id
  expect((await ana.call.sessions.get({ sessionId })).status).toBe('Active')
  await expect(leo.call.sessions.end({ sessionId })).rejects.toMatchObject({ code: 'not-a-member' })
  await expect(kim.call.sessions.end({ sessionId })).rejects.toMatchObject({ code: 'not-a-member' })
  await addMember(ana, team.id, kim)
  await expect(kim.call.sessions.end({ sessionId })).rejects.toMatchObject({
    code: 'not-the-driver',
  })
  // Former members still delete the positions they drove.
  await leo.call.users.deletePositions()
  expect((await ana.call.sessions.end({ sessionId })).status).toBe('Complete')
})

test('a driver who is back in the team drives on; the owner cannot end the session', async () => {
  const { team, session } = await scene.newSession()
  const first = await scene.drivingConnection(session.id)
  first.send(fix())
  await first.roundTrip()
  await leo.call.teams.leave({ teamId: team.id })
  await addMember(ana, team.id, leo)
  const car = await scene.drivingConnection(session.id)
  car.send(fix())
  await car.roundTrip()
  await expect(ana.call.sessions.end({ sessionId: session.id })).rejects.toMatchObject({
    code: 'not-the-driver',
  })
  expect((await leo.call.sessions.end({ sessionId: session.id })).status).toBe('Complete')
})

test('a removed member may be invited again', async () => {
  const teamId = await newTeam()
  await ana.call.teams.removeMember({ teamId, userId: leo.id })
  await addMember(ana, teamId, leo)
  expect(await ana.call.teams.members({ teamId })).toHaveLength(3)
})

test.each(['is removed', 'leaves'])(
  'invitations made by a member who %s are withdrawn',
  async how => {
    const teamId = await newTeam()
    const noor = await scene.app.person('Noor')
    const byLeo = await leo.call.teams.invite({ teamId, ...noor.details })
    const toNobody = { firstName: 'Max', lastName: 'Weber', email: `${randomUUID()}@example.com` }
    const unknown = await leo.call.teams.invite({ teamId, ...toNobody })
    const mia = await scene.app.person('Mia')
    const byAna = await ana.call.teams.invite({ teamId, ...mia.details })
    const pit = await subscribedConnection(kim, `team:${teamId}`)
    const own = await noor.connect()
    const former = await subscribedConnection(leo, `team:${teamId}`)

    if (how === 'leaves') await leo.call.teams.leave({ teamId })
    else await ana.call.teams.removeMember({ teamId, userId: leo.id })

    expect(await own.next('invitation-removed')).toMatchObject({ invitation: byLeo.id })
    const removed = [await pit.next('invited-removed'), await pit.next('invited-removed')]
    expect(removed.map(({ invited }) => invited).sort()).toEqual([byLeo.id, unknown.id].sort())
    expect((await ana.call.teams.invited({ teamId })).map(({ id }) => id)).toEqual([byAna.id])
    expect(await noor.call.teams.invitations()).toEqual([])
    await expect(noor.call.teams.accept({ invitationId: byLeo.id })).rejects.toMatchObject({
      code: 'not-found',
    })
    await former.roundTrip()
    expect(former.received('invited-removed')).toEqual([])
  },
)

test('a user who is not a member cannot be removed', async () => {
  const teamId = await newTeam()
  for (const userId of [randomUUID(), (await scene.app.person('Eve')).id]) {
    await expect(ana.call.teams.removeMember({ teamId, userId })).rejects.toMatchObject({
      code: 'not-found',
    })
  }
})

describe('the owner of a team', () => {
  test('is its creator; nobody else can remove members', async () => {
    const teamId = await newTeam()
    expect(await ownerOf(teamId, leo)).toBe(ana.id)
    await expect(leo.call.teams.removeMember({ teamId, userId: kim.id })).rejects.toMatchObject({
      code: 'not-the-owner',
    })
    expect(await ana.call.teams.members({ teamId })).toHaveLength(3)
  })

  test('is succeeded by the longest-standing member', async () => {
    const teamId = await newTeam()
    await ana.call.teams.leave({ teamId })
    expect(await ownerOf(teamId, kim)).toBe(leo.id)
    await leo.call.teams.removeMember({ teamId, userId: leo.id })
    expect(await ownerOf(teamId, kim)).toBe(kim.id)
    await kim.call.teams.leave({ teamId })
  })

  test('stays when another member leaves', async () => {
    const teamId = await newTeam()
    await leo.call.teams.leave({ teamId })
    expect(await ownerOf(teamId, kim)).toBe(ana.id)
  })

  test('is always a member, even if everybody leaves at once', async () => {
    const teamId = await newTeam()
    await Promise.all([ana, leo].map(each => each.call.teams.leave({ teamId })))
    expect(await ownerOf(teamId, kim)).toBe(kim.id)
  })
})
