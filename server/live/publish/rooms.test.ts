import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fix, type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { addMember } from '#testing/people/addMember.ts'
import type { Person } from '#testing/people/person.ts'

let scene: LiveScene
let ana: Person
let leo: Person

beforeAll(async () => {
  scene = await liveScene()
  ;({ ana, leo } = scene)
})
afterAll(() => scene[Symbol.asyncDispose]())

// spec: CA-19
test('an invited driver gets the invitation, and the team once they accept (R1)', async () => {
  const connection = await leo.connect()
  const team = await ana.call.teams.create({ name: 'Early Birds' })
  const { id } = await ana.call.teams.invite({ teamId: team.id, ...leo.details })
  expect((await connection.next('invitation-added')).invitation).toMatchObject({ id })
  expect(connection.received('team-added')).toEqual([])

  await leo.call.teams.accept({ invitationId: id })
  expect(await connection.next('team-added', frame => frame.team.id === team.id)).toEqual({
    t: 'team-added',
    team,
  })
  expect(await leo.call.teams.list()).toContainEqual(team)
})

// spec: CA-19 CA-20
test('members are notified of invitations, joins, starts and ends of sessions (R1)', async () => {
  const team = await ana.call.teams.create({ name: 'Night Owls' })
  const connection = await subscribedConnection(ana, `team:${team.id}`)

  await addMember(ana, team.id, leo)
  const session = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  await leo.call.sessions.end({ sessionId: session.id })

  expect((await connection.next('invited-added')).invited).toMatchObject(leo.details)
  expect((await connection.next('member-added')).member.id).toBe(leo.id)
  expect((await connection.next('session-started')).session).toEqual(session)
  expect(await connection.next('session-ended')).toMatchObject({
    session: session.id,
    team: team.id,
  })
})

test('a non-member and a former member who repeat subscribe are only refused (R2, R4)', async () => {
  const { team, session } = await scene.newSession()
  const former = await scene.app.person('Noor')
  await addMember(ana, team.id, former)
  await former.call.teams.leave({ teamId: team.id })
  const pit = await subscribedConnection(ana, `session:${session.id}`)
  const car = await scene.drivingConnection(session.id)
  const connections = [
    ...(await Promise.all([former.connect(), former.connect(), former.connect()])),
    await (await scene.app.person('Mia')).connect(),
  ]
  const rooms = [`session:${session.id}`, `team:${team.id}`] as const
  const watchAll = () =>
    connections.forEach(connection =>
      rooms.forEach(room => connection.send({ t: 'subscribe', room })),
    )

  for (let n = 0; n < 5; n++) {
    watchAll()
    car.send(fix())
    await pit.next('fix')
    watchAll()
    await ana.call.messages.set({ sessionId: session.id, type: 'Pit', commandId: randomUUID() })
    await pit.next('message')
    for (const connection of connections) {
      await connection.roundTrip()
      for (let refused = 0; refused < 4; refused++) await connection.next('refused')
    }
  }
  await leo.call.sessions.end({ sessionId: session.id })
  for (const connection of connections) {
    connection.send({ t: 'heartbeat', at: 1 })
    expect((await connection.next('heartbeat')).versions).toEqual({})
    expect(connection.all()).toEqual([])
  }
})

test('a member who leaves is removed from the rooms of ended sessions too (R4)', async () => {
  const { team, session } = await scene.newSession()
  const former = await scene.app.person('Noor')
  await addMember(ana, team.id, former)
  const room = `session:${session.id}` as const
  const connection = await subscribedConnection(former, room)
  await leo.call.sessions.end({ sessionId: session.id })
  await connection.next('session-ended')

  await former.call.teams.leave({ teamId: team.id })
  expect(await connection.next('refused')).toMatchObject({ room, code: 'not-a-member' })
  connection.send({ t: 'heartbeat', at: 1 })
  expect((await connection.next('heartbeat')).versions).toEqual({})
})

test('a driver who leaves the team stops driving, even if nobody is watching (R4)', async () => {
  const { team, session } = await scene.newSession()
  const car = await scene.drivingConnection(session.id)
  await leo.call.teams.leave({ teamId: team.id })
  await car.next('team-removed')

  car.send(fix())
  expect((await car.next('refused')).code).toBe('not-a-member')
  car.send({ t: 'receipt', version: 1, stage: 'shown', at: Date.now() })
  expect((await car.next('refused')).code).toMatch(/^(not-a-member|not-the-driver)$/)
})

test('ids in upper case are the same ids (R1)', async () => {
  const { session } = await scene.newSession()
  const car = await leo.connect()
  car.send({ t: 'drive', session: session.id.toUpperCase() })
  await car.next('snapshot')
  await ana.call.messages.set({
    sessionId: session.id.toUpperCase(),
    type: 'Pit',
    commandId: randomUUID(),
  })
  expect((await car.next('message')).message.type).toBe('Pit')
  car.send({ t: 'subscribe', room: `session:${session.id.toUpperCase()}` })
  expect((await car.next('refused')).code).toBe('invalid-input')
})

test('an ended session accepts no messages, no fixes and no driver (F6, R5)', async () => {
  const { session } = await scene.newSession()
  const car = await scene.drivingConnection(session.id)
  await leo.call.sessions.end({ sessionId: session.id })
  await car.next('session-ended')

  car.send(fix())
  expect(await car.next('refused')).toMatchObject({ re: 'fix', code: 'session-ended' })
  car.send(fix())
  expect(await car.next('refused')).toMatchObject({ re: 'fix', code: 'session-ended' })
  car.send({ t: 'drive', session: session.id })
  expect(await car.next('refused')).toMatchObject({ re: 'drive', code: 'session-ended' })
  await expect(
    ana.call.messages.set({ sessionId: session.id, type: 'Pit', commandId: randomUUID() }),
  ).rejects.toMatchObject({ code: 'session-ended' })
})

test('the response to drive repeats its request, that to subscribe does not (R5)', async () => {
  const { session } = await scene.newSession()
  const car = await leo.connect()
  const since = Date.now()
  car.send({ t: 'subscribe', room: `session:${session.id}` })
  car.send({ t: 'drive', session: session.id, since })
  const answers = [await car.next('snapshot'), await car.next('snapshot')]
  car.send({ t: 'drive', session: session.id })
  answers.push(await car.next('snapshot'))

  // The room's snapshot and the first response to drive may arrive in either order.
  const [first, second, third] = answers.map(({ drive }) => drive)
  expect([first, second]).toContainEqual(undefined)
  expect([first, second]).toContainEqual({ since })
  expect(third).toEqual({ since: null })
})

test('the newest drive screen wins; older ones are notified, then refused (R6)', async () => {
  const { session } = await scene.newSession()
  const opened = Date.now()
  const drive = async (since?: number) => {
    const car = await leo.connect()
    car.send({ t: 'drive', session: session.id, ...(since !== undefined && { since }) })
    return car
  }
  const older = await drive(opened - 2000)
  await older.next('driving')
  const newer = await drive(opened - 1000)
  expect((await newer.next('driving')).since).toBe(opened - 1000)
  expect((await older.next('driving', frame => frame.since > opened - 2000)).since).toBe(
    opened - 1000,
  )

  expect((await (await drive(opened - 2000)).next('refused')).code).toBe('driven-elsewhere')
  // The same screen after a reconnect, and a device that only reports, are not other screens.
  await (await drive(opened - 1000)).next('snapshot')
  const logger = await drive()
  await logger.next('snapshot')
  logger.send(fix())
  await newer.next('fix')
  expect(newer.received('driving')).toEqual([])

  // A claim from the future is stored as of now.
  await (await drive(opened + 3_600_000)).next('snapshot')
  await (await drive(Date.now() + 1)).next('snapshot')
})
