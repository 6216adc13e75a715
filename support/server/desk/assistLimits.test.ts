import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AssistConnection } from '#support/testing/assistConnection.ts'
import { to } from '#support/testing/assistVisit.ts'
import { type SupportScene, supportScene } from '#support/testing/supportScene.ts'

/** Rate limits of support connections. The desk shares its process with live timing. */
let scene: SupportScene
beforeAll(async () => {
  scene = await supportScene()
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.app.forgetLimits())
afterEach(() => scene.closeConnections())

const kB = 1024
/**
 * An acknowledgement of an event that was never sent, as Socket.IO encodes it: event listeners do not
 * receive it.
 */
const acknowledge = (connection: AssistConnection) =>
  void connection.socket.io.engine.write('31["x"]')

const excessive: [string, (connection: AssistConnection) => void, number][] = [
  ['many events', connection => connection.send('move', to('tab1', [1, 2])), 400],
  ['many unexpected acknowledgements', acknowledge, 400],
  ['a large text', connection => connection.send('input', to('tab1', 'x'.repeat(300 * kB))), 1],
  ['many texts', connection => connection.send('input', to('tab1', 'x'.repeat(9 * kB))), 40],
  [
    'a large page recording',
    connection => connection.send('view', to('tab1', Buffer.alloc(1024 * kB))),
    10,
  ],
]

test.each(excessive)('an agent who sends %s is disconnected', async (_what, send, times) => {
  const { agent } = await scene.together()
  for (let n = 0; n < times; n++) send(agent)
  await agent.closed()
  expect(agent.socket.connected).toBe(false)
})

test.each(excessive)('a page that sends %s is disconnected', async (_what, send, times) => {
  const { tab } = await scene.together()
  for (let n = 0; n < times; n++) send(tab)
  await tab.closed()
  expect(tab.socket.connected).toBe(false)
})

test('a disconnected page reconnects by itself', async () => {
  const { tab, agent } = await scene.together()
  tab.socket.io.reconnection(true)
  tab.socket.io.reconnectionDelay(1)
  tab.send('view', to('tab1', Buffer.alloc(1024 * kB)))
  for (let n = 0; n < 400; n++) tab.send('UPDATE_SESSION', to('tab1', { active: true }))
  expect(await agent.next('SESSION_DISCONNECTED')).toEqual(['tab1'])
  expect(await agent.next('SESSION_RECONNECTED')).toEqual(['tab1'])
})

test('an agent who exceeds the rate limit of requests is disconnected', async () => {
  const { tab, agent } = await scene.together()
  for (let n = 0; n < 40; n++) {
    agent.send('request_control', to('tab1'))
    tab.send('control_rejected', to('tab1', agent.id))
    await Promise.race([agent.next('control_rejected').catch(() => []), agent.closed()])
  }
  await agent.closed()
  expect(agent.socket.connected).toBe(false)
})
