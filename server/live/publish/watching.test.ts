import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import type { TestConnection } from '#testing/live/testConnection.ts'
import { addMember } from '#testing/people/addMember.ts'

let scene: LiveScene

beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

/** Resolves once these users watch a room, by the events that this connection receives. */
const watched = (connection: TestConnection, room: string, users: readonly string[]) =>
  connection.next(
    'watching',
    event => event.room === room && event.users.toSorted().join() === users.toSorted().join(),
  )

// spec: CA-14 CA-17
test('the users with an open page of a team or its sessions are present in it (R10)', async () => {
  const { ana } = scene
  const { team, session } = await scene.newSession()
  const [teamRoom, sessionRoom] = [`team:${team.id}`, `session:${session.id}`] as const
  const viewer = await scene.app.person('Vera')
  await addMember(ana, team.id, viewer)
  await ana.call.teams.setRole({ teamId: team.id, userId: viewer.id, role: 'viewer' })

  const home = await subscribedConnection(ana, teamRoom)
  await watched(home, teamRoom, [ana.id])
  const phone = await scene.drivingConnection(session.id)
  const pit = await subscribedConnection(viewer, sessionRoom)
  await watched(pit, sessionRoom, [viewer.id])
  // The driver's phone is in neither list.
  await watched(home, teamRoom, [ana.id, viewer.id])

  const second = await ana.connect()
  second.send({ t: 'subscribe', room: teamRoom })
  const { snapshot } = await second.next('snapshot')
  expect(snapshot).toMatchObject({ watching: [ana.id, viewer.id] })
  second.send({ t: 'subscribe', room: sessionRoom })
  expect((await second.next('snapshot')).snapshot).toMatchObject({ watching: [viewer.id] })
  await watched(pit, sessionRoom, [ana.id, viewer.id])

  await home.roundTrip()
  pit.close()
  await watched(home, teamRoom, [ana.id])
  for (const connection of [home, second, phone]) connection.close()
})

test('a member who is removed is not listed any more at once (R4, R10)', async () => {
  const { ana, leo } = scene
  const { team } = await scene.newSession()
  const room = `team:${team.id}` as const
  const home = await subscribedConnection(ana, room)
  await watched(home, room, [ana.id])
  const other = await subscribedConnection(leo, room)
  await watched(home, room, [ana.id, leo.id])
  await ana.call.teams.removeMember({ teamId: team.id, userId: leo.id })
  await watched(home, room, [ana.id])
  // Refused further events of the room, the connection itself stays open.
  await other.roundTrip()
  expect(other.received('watching').flatMap(({ users }) => users.length)).not.toContain(1)
  for (const connection of [home, other]) connection.close()
})
