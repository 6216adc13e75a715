import { once } from 'node:events'
import { afterAll, afterEach, expect, test } from 'vitest'
import { openPeer } from '#support/testing/assistPeer.ts'
import { ingest, startVisit, to } from '#support/testing/assistVisit.ts'
import { supportScene } from '#support/testing/supportScene.ts'

const scene = await supportScene()
afterAll(() => scene[Symbol.asyncDispose]())
afterEach(() => scene.closeConnections())

/** An object whose `length` cannot be compared with a number: schemas that do so throw. */
const throwing = '{"length":{"toString":1}}'

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

const hostilePayloads = [
  ['a tab id that makes its schema throw', `{"meta":{"tabId":${throwing}}}`],
  ['data that makes its schema throw', `{"data":${throwing}}`],
  [
    'fields that make their schema throw',
    `{"data":{"streamId":${throwing},"agentIds":${throwing}}}`,
  ],
  ['deep JSON as data', `{"data":${deep(10_000)}}`],
  ['deep JSON around it', deep(10_000)],
  ['prototype keys', '{"__proto__":{"data":1},"constructor":{"prototype":1}}'],
] as const

test.each(hostilePayloads)('a tab that sends %s is ignored', async (_what, payload) => {
  const { tab, agent } = await scene.together()
  for (const event of ['call_end', 'UPDATE_SESSION', 'control_granted', 'videofeed', 'view']) {
    tab.sendText(event, payload)
  }
  tab.send('UPDATE_SESSION', to('tab1', { active: false }))
  expect(await agent.next('UPDATE_SESSION')).toEqual([to('tab1', { active: false })])
})

test.each(hostilePayloads)('an agent who sends %s is ignored', async (_what, payload) => {
  const { tab, agent } = await scene.together()
  for (const event of ['move', 'input', 'call_end', 'videofeed', 'toString', '__proto__']) {
    agent.sendText(event, payload)
  }
  agent.send('videofeed', to('tab1', { streamId: 'last', enabled: true }))
  expect(await tab.next('videofeed')).toEqual([
    agent.id,
    to('tab1', { streamId: 'last', enabled: true }),
  ])
  expect([...tab.received('move'), ...tab.received('input')]).toEqual([])
})

test('a signal with deep JSON does not reach its peer, and the next one does', async () => {
  const { visitId } = await scene.visit(scene.leo)
  const { pass } = await scene.join(scene.sam, visitId)
  const agent = await openPeer(scene.app.url, scene.sam, { id: pass.peerId })
  const tab = await openPeer(scene.app.url, scene.leo, { id: `${pass.room}-tab1` })
  tab.socket.send(`{"type":"CANDIDATE","dst":"${pass.peerId}","payload":${deep(20_000)}}`)
  tab.socket.send(`{"type":"CANDIDATE","dst":${throwing}}`)
  tab.send({ type: 'CANDIDATE', dst: pass.peerId, payload: 'next' })
  expect(await agent.next()).toMatchObject({ payload: 'next' })
  for (const peer of [agent, tab]) {
    const closed = once(peer.socket, 'close')
    peer.close()
    await closed
  }
})

test.each([
  ['a value that makes its schema throw', `{"taskAnswer":${throwing}}`],
  ['deep JSON', `{"taskAnswer":${deep(10_000)}}`],
  ['text that is not JSON', '{"testId":'],
])('the ingest refuses %s', async (_what, body) => {
  const { url } = scene.app
  const token = await startVisit(url, scene.leo)
  const response = await ingest(url, scene.leo, { path: 'uxt/signals/task', body, token })
  expect(response.status).toBe(400)
})
