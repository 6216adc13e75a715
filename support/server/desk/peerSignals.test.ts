import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPeer, type TestPeer } from '#support/testing/assistPeer.ts'
import { to } from '#support/testing/assistVisit.ts'
import { type SupportScene, supportScene } from '#support/testing/supportScene.ts'
import type { Person } from '#testing/people/person.ts'

let scene: SupportScene
const open: TestPeer[] = []
beforeAll(async () => {
  scene = await supportScene()
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.app.forgetLimits())
afterEach(() => {
  for (const each of open.splice(0)) each.close()
  scene.closeConnections()
})

async function peer(person: Person, id: string) {
  const opened = await openPeer(scene.app.url, person, { id })
  open.push(opened)
  return opened
}

async function called() {
  const { visitId, tab: page } = await scene.visit(scene.leo)
  const connection = await scene.join(scene.sam, visitId)
  const { room, peerId } = connection.pass
  const tabId = `${room}-tab1`
  return {
    visitId,
    page,
    connection,
    tabId,
    peerId,
    tab: await peer(scene.leo, tabId),
    agent: await peer(scene.sam, peerId),
  }
}

test('a call of an agent, answered by the visitor, is audited', async () => {
  const { visitId, tab, agent, tabId, peerId } = await called()
  agent.send({ type: 'OFFER', dst: tabId, payload: { sdp: 'o' } })
  expect(await tab.next()).toEqual({
    type: 'OFFER',
    src: peerId,
    dst: tabId,
    payload: { sdp: 'o' },
  })
  tab.send({ type: 'ANSWER', dst: peerId, payload: { sdp: 'a' } })
  expect(await agent.next()).toMatchObject({ type: 'ANSWER', src: tabId, payload: { sdp: 'a' } })
  agent.send({ type: 'CANDIDATE', dst: tabId, payload: 1 })
  expect(await tab.next()).toMatchObject({ type: 'CANDIDATE', src: peerId })
  tab.send({ type: 'LEAVE', dst: peerId })
  expect(await agent.next()).toMatchObject({ type: 'LEAVE', src: tabId })
  expect((await scene.audited(visitId)).slice(0, 2)).toEqual(['call-answered', 'call-asked'])
})

test('calls cannot cross visits, and a visitor cannot start one', async () => {
  const one = await called()
  const other = await called()
  one.agent.send({ type: 'OFFER', dst: other.tabId, payload: 'stray' })
  expect(await one.agent.next()).toEqual({ type: 'EXPIRE', src: other.tabId, dst: one.peerId })
  one.tab.send({ type: 'OFFER', dst: one.peerId, payload: 'from the visitor' })
  one.tab.send({ type: 'CANDIDATE', dst: other.tabId, payload: 'stray' })
  one.tab.send({ type: 'CANDIDATE', dst: one.peerId, payload: 'mine' })
  expect(await one.agent.next()).toMatchObject({ type: 'CANDIDATE', payload: 'mine' })
})

test('a call to an unknown peer expires at once', async () => {
  const { agent, tabId, peerId } = await called()
  const nobody = tabId.replace('tab1', 'tab9')
  agent.send({ type: 'OFFER', dst: nobody, payload: {} })
  expect(await agent.next()).toEqual({ type: 'EXPIRE', src: nobody, dst: peerId })
})

test('an agent who has left the visit cannot call there', async () => {
  const { visitId, connection, tab, agent, tabId, peerId } = await called()
  const mia = await scene.agent('Mia')
  const { pass } = await scene.join(mia, visitId)
  const miaPeer = await peer(mia, pass.peerId)
  connection.close()
  await expect.poll(() => scene.audited(visitId)).toContain('agent-went')
  agent.send({ type: 'OFFER', dst: tabId, payload: 'past the desk' })
  expect(await agent.next()).toEqual({ type: 'EXPIRE', src: tabId, dst: peerId })
  miaPeer.send({ type: 'OFFER', dst: tabId, payload: 'from the desk' })
  expect(await tab.next()).toMatchObject({ payload: 'from the desk' })
  const calls = (await scene.sam.call.support.audit()).filter(each => each.visitId === visitId)
  expect(calls[0]).toMatchObject({ event: 'call-asked', agent: { firstName: 'Mia' } })
})

test('another agent can neither call a busy tab nor end its call', async () => {
  const { visitId, page, connection, tab, agent, tabId, peerId } = await called()
  const other = await scene.agent('Mia')
  const mia = await scene.join(other, visitId)
  const second = await peer(other, mia.pass.peerId)
  const expired = { type: 'EXPIRE', src: tabId, dst: mia.pass.peerId }
  agent.send({ type: 'OFFER', dst: tabId, payload: 'first' })
  expect(await tab.next()).toMatchObject({ src: peerId, payload: 'first' })
  second.send({ type: 'OFFER', dst: tabId, payload: 'while it rings' })
  expect(await second.next()).toEqual(expired)
  expect(await mia.next('call_busy')).toEqual([to('tab1', mia.id)])
  mia.send('call_end', to('tab1'))

  page.send('UPDATE_SESSION', to('tab1', { isCallActive: true, agentIds: [peerId] }))
  await connection.next('UPDATE_SESSION')
  second.send({ type: 'OFFER', dst: tabId, payload: 'while they talk' })
  expect(await second.next()).toEqual(expired)
  expect(await mia.next('call_busy')).toEqual([to('tab1', mia.id)])
  mia.send('call_end', to('tab1'))

  connection.send('call_end', to('tab1'))
  expect(await page.next('call_end')).toEqual([connection.id, to('tab1')])
  page.send('UPDATE_SESSION', to('tab1', { isCallActive: false, agentIds: [] }))
  await connection.next('UPDATE_SESSION')
  second.send({ type: 'OFFER', dst: tabId, payload: 'now' })
  expect(await tab.next()).toMatchObject({ src: mia.pass.peerId, payload: 'now' })
  mia.send('call_end', to('tab1'))
  expect(await page.next('call_end')).toEqual([mia.id, to('tab1')])
})

test('a call of an agent who left does not block another one', async () => {
  const { visitId, page, connection, tab, agent, tabId } = await called()
  const mia = await scene.agent('Mia')
  const second = await scene.join(mia, visitId)
  const calling = await peer(mia, second.pass.peerId)
  agent.send({ type: 'OFFER', dst: tabId, payload: 'first' })
  expect(await tab.next()).toMatchObject({ payload: 'first' })
  connection.close()
  await page.next('AGENT_DISCONNECTED')
  calling.send({ type: 'OFFER', dst: tabId, payload: 'second' })
  expect(await tab.next()).toMatchObject({ payload: 'second' })
})

test('a browser that reconnects replaces its old connection', async () => {
  const { tab, agent, tabId } = await called()
  const closed = once(tab.socket, 'close')
  const again = await peer(scene.leo, tabId)
  await closed
  agent.send({ type: 'OFFER', dst: tabId, payload: 'new' })
  expect(await again.next()).toMatchObject({ payload: 'new' })
})

test('invalid signals are ignored, and exceeding the rate limit disconnects', async () => {
  const { tab, agent, tabId } = await called()
  agent.socket.send('no json')
  agent.send({ type: 'SHOUT', dst: tabId })
  agent.send({ type: 'HEARTBEAT' })
  agent.send({ type: 'CANDIDATE', dst: tabId, payload: 'after' })
  expect(await tab.next()).toMatchObject({ payload: 'after' })
  const closed = once(agent.socket, 'close')
  for (let n = 0; n < 300; n++) agent.send({ type: 'HEARTBEAT' })
  await closed
})

test('only the two ends of a call receive its servers', async () => {
  const iceServers = [
    { urls: 'stun:stun.example.com' },
    { urls: ['turn:turn.example.com'], username: 'u', credential: 'secret' },
  ]
  await using other = await supportScene({ iceServers })
  const stranger = await other.app.person('Stranger')
  const servers = (person: Person) => person.call.support.callServers()
  const refused = { code: 'not-found' }
  await expect(servers(other.sam)).rejects.toMatchObject(refused)
  const { visitId, agent: connection } = await other.together()
  await expect(servers(other.leo)).rejects.toMatchObject(refused)
  expect(await servers(other.sam)).toEqual({ iceServers })

  const agent = await openPeer(other.app.url, other.sam, { id: connection.pass.peerId })
  const tab = await openPeer(other.app.url, other.leo, { id: `${connection.pass.room}-tab1` })
  agent.send({ type: 'OFFER', dst: `${connection.pass.room}-tab1`, payload: 'ring' })
  await tab.next()
  expect(await servers(other.leo)).toEqual({ iceServers })
  await expect(servers(stranger)).rejects.toMatchObject(refused)

  connection.send('call_end', to('tab1'))
  await expect.poll(() => other.audited(visitId)).toContain('call-withdrawn')
  await expect(servers(other.leo)).rejects.toMatchObject(refused)
  expect(JSON.stringify(await other.leo.call.support.settings())).not.toContain('secret')
  agent.close()
  tab.close()
})
