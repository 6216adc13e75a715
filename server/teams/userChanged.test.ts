import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { callLimits } from '../http/callLimits.ts'

let scene: LiveScene

beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

test('a new name reaches the own pages, and members on any page (R11)', async () => {
  const { ana, leo } = scene
  const { team } = await scene.newSession()
  const [own, list, elsewhere] = [
    await leo.connect(),
    await subscribedConnection(ana, `team:${team.id}`),
    await ana.connect(),
  ]
  const stranger = await (await scene.app.person('Mia')).connect()
  const name = { firstName: 'Leon', lastName: 'Garnier' }
  await leo.call.users.rename(name)

  expect((await own.next('user-changed')).user).toEqual(await leo.call.users.me())
  expect(await list.next('member-changed')).toMatchObject({
    team: team.id,
    member: { id: leo.id, ...name },
  })
  for (const connection of [own, elsewhere])
    expect(await connection.next('team-changed')).toEqual({ t: 'team-changed', team: team.id })
  await stranger.roundTrip()
  expect(stranger.all()).toEqual([])
  for (const connection of [own, list, elsewhere, stranger]) connection.close()
})

test('a user who changes the name again and again is refused', async () => {
  const leo = await scene.app.person('Leo')
  const rename = () => leo.call.users.rename({ firstName: 'Leo', lastName: 'Garnier' })
  for (let n = 0; n < callLimits.rare.limit; n++) await rename()
  await expect(rename()).rejects.toMatchObject({ code: 'too-many' })
})
