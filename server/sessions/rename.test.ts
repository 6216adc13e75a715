import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'

let scene: LiveScene

beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

test('a member corrects the name of a session, which its screens receive', async () => {
  const { ana, leo } = scene
  const { team, session } = await scene.newSession()
  const phone = await scene.drivingConnection(session.id)
  const pit = await subscribedConnection(leo, `team:${team.id}`)
  const renamed = await ana.call.sessions.rename({ sessionId: session.id, name: ' Stint  2 ' })
  expect(renamed).toMatchObject({ id: session.id, name: 'Stint 2', status: 'Active' })
  for (const connection of [phone, pit])
    expect((await connection.next('session-changed')).session.name).toBe('Stint 2')
  expect((await leo.call.sessions.get({ sessionId: session.id })).name).toBe('Stint 2')
  phone.close()
  pit.close()
})

test('an ended session is renamed too, and stays ended', async () => {
  const { ana, leo } = scene
  const { team, session } = await scene.newSession()
  await leo.call.sessions.end({ sessionId: session.id })
  const pit = await subscribedConnection(ana, `team:${team.id}`)
  await ana.call.sessions.rename({ sessionId: session.id, name: 'Qualifying' })
  expect((await pit.next('session-changed')).session.status).toBe('Complete')
  expect(await ana.call.sessions.listEnded({ teamId: team.id })).toMatchObject([
    { name: 'Qualifying' },
  ])
  pit.close()
})

test('a session always has a name of one line', async () => {
  const { session } = await scene.newSession()
  for (const name of ['  ', 'x'.repeat(81), 'two\u2028lines'])
    await expect(
      scene.ana.call.sessions.rename({ sessionId: session.id, name }),
    ).rejects.toMatchObject({ code: 'invalid-input' })
  expect((await scene.ana.call.sessions.get({ sessionId: session.id })).name).toBe('Stint 1')
})
