import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { unansweredMs } from '#support/contract/supportRules.ts'
import type { AssistConnection } from '#support/testing/assistConnection.ts'
import { openPeer, type TestPeer } from '#support/testing/assistPeer.ts'
import { openTab, to } from '#support/testing/assistVisit.ts'
import { type SupportScene, supportScene } from '#support/testing/supportScene.ts'

/** The audit log of each request: asked, answered and ended. */
let scene: SupportScene
const peers: TestPeer[] = []
beforeAll(async () => {
  scene = await supportScene()
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.app.forgetLimits())
afterEach(() => {
  vi.useRealTimers()
  for (const peer of peers.splice(0)) peer.close()
  scene.closeConnections()
})

/** Returns the audited events since the agent connected, in order. */
async function auditedEvents(visitId: string): Promise<string[]> {
  const events = (await scene.audited(visitId)).reverse()
  return events.slice(events.indexOf('agent-came') + 1)
}

function waitUnanswered() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + unansweredMs })
}

const asks = ['control', 'recording'] as const
type Asks = (typeof asks)[number]

async function ask(what: Asks, tab: AssistConnection, agent: AssistConnection) {
  agent.send(`request_${what}`, to('tab1'))
  await tab.next(`request_${what}`)
}

async function grant(what: Asks, tab: AssistConnection, agent: AssistConnection) {
  await ask(what, tab, agent)
  const yes = what === 'control' ? 'control_granted' : 'recording_accepted'
  tab.send(yes, what === 'control' ? to('tab1', agent.id) : undefined)
  await agent.next(yes)
}

async function refuse(what: Asks, tab: AssistConnection, agent: AssistConnection) {
  tab.send(`${what}_rejected`, what === 'control' ? to('tab1', agent.id) : undefined)
  await agent.next(`${what}_rejected`)
}

/** Connects both ends to call signalling and lets a call ring. */
async function ringing() {
  const together = await scene.together()
  const { room, peerId } = together.agent.pass
  const tabId = `${room}-tab1`
  const tabPeer = await openPeer(scene.app.url, scene.leo, { id: tabId })
  const agentPeer = await openPeer(scene.app.url, scene.sam, { id: peerId })
  peers.push(tabPeer, agentPeer)
  agentPeer.send({ type: 'OFFER', dst: tabId, payload: {} })
  await tabPeer.next()
  async function answer() {
    tabPeer.send({ type: 'ANSWER', dst: peerId, payload: {} })
    await agentPeer.next()
    together.tab.send('UPDATE_SESSION', to('tab1', { isCallActive: true, agentIds: [peerId] }))
    await together.agent.next('UPDATE_SESSION')
  }
  return { ...together, answer }
}

test.each(asks)('%s: a refusal is audited as refused, no answer as expired', async what => {
  const { visitId, tab, agent } = await scene.together()
  await ask(what, tab, agent)
  await refuse(what, tab, agent)
  await ask(what, tab, agent)
  waitUnanswered()
  await refuse(what, tab, agent)
  expect(await auditedEvents(visitId)).toEqual([
    `${what}-asked`,
    `${what}-refused`,
    `${what}-asked`,
    `${what}-expired`,
  ])
})

test('a withdrawn request for control is not audited as a refusal', async () => {
  const { visitId, tab, agent } = await scene.together()
  await ask('control', tab, agent)
  agent.send('release_control', to('tab1'))
  await tab.next('release_control')
  await refuse('control', tab, agent)
  expect(await auditedEvents(visitId)).toEqual(['control-asked', 'control-withdrawn'])
})

test.each(asks)('%s: an agent who leaves before an answer withdraws the request', async what => {
  const { visitId, tab, agent } = await scene.together()
  await ask(what, tab, agent)
  agent.close()
  await tab.next('AGENT_DISCONNECTED')
  // The page may still respond to an agent who has left.
  tab.send(`${what}_rejected`, what === 'control' ? to('tab1', agent.id) : undefined)
  tab.close()
  expect(await auditedEvents(visitId)).toEqual([`${what}-asked`, `${what}-withdrawn`, 'agent-went'])
})

test.each(asks)(
  '%s ends when its page closes, and starts again when the page grants it',
  async what => {
    const { visitId, tab, agent } = await scene.together()
    await grant(what, tab, agent)
    tab.close()
    await agent.next('SESSION_DISCONNECTED')
    const again = openTab(scene.app.url, scene.leo, { visitId, tabId: 'tab1' })
    await again.next('AGENTS_CONNECTED')
    const yes = what === 'control' ? 'control_granted' : 'recording_accepted'
    again.send(yes, to('tab1', agent.id))
    await agent.next(yes)
    again.close()
    await agent.next('SESSION_DISCONNECTED')
    const once = [`${what}-granted`, `${what}-ended`]
    expect(await auditedEvents(visitId)).toEqual([`${what}-asked`, ...once, ...once])
  },
)

test('granting control to another agent ends it for the first', async () => {
  const { visitId, tab, agent } = await scene.together()
  const second = await scene.join(await scene.agent('Mia'), visitId)
  await grant('control', tab, agent)
  tab.send('control_granted', to('tab1', second.id))
  await second.next('control_granted', ([sent]) => (sent as { data: string }).data === second.id)
  expect((await auditedEvents(visitId)).slice(-3)).toEqual([
    'control-granted',
    'control-ended',
    'control-granted',
  ])
})

test.each(asks)('%s requested from a page that closes is audited as expired', async what => {
  const { visitId, tab, agent } = await scene.together()
  await ask(what, tab, agent)
  tab.close()
  await agent.next('SESSION_DISCONNECTED')
  expect(await auditedEvents(visitId)).toEqual([`${what}-asked`, `${what}-expired`])
})

test('a rejected call and an unanswered call are audited differently', async () => {
  const { visitId, tab, agent } = await ringing()
  tab.send('call_end', to('tab1'))
  await agent.next('call_end')
  expect(await auditedEvents(visitId)).toEqual(['call-asked', 'call-refused'])

  const later = await ringing()
  waitUnanswered()
  later.tab.send('call_end', to('tab1'))
  await later.agent.next('call_end')
  expect(await auditedEvents(later.visitId)).toEqual(['call-asked', 'call-expired'])
})

test('an agent who hangs up before or after the answer ends the call once', async () => {
  const early = await ringing()
  early.agent.send('call_end', to('tab1'))
  await early.tab.next('call_end')
  expect(await auditedEvents(early.visitId)).toEqual(['call-asked', 'call-withdrawn'])

  const { visitId, tab, agent, answer } = await ringing()
  await answer()
  agent.send('call_end', to('tab1'))
  await tab.next('call_end')
  tab.send('UPDATE_SESSION', to('tab1', { isCallActive: false, agentIds: [] }))
  await agent.next('UPDATE_SESSION')
  expect(await auditedEvents(visitId)).toEqual(['call-asked', 'call-answered', 'call-ended'])
})

test('a call ends when its agent leaves', async () => {
  const { visitId, tab, agent, answer } = await ringing()
  await answer()
  agent.close()
  await tab.next('AGENT_DISCONNECTED')
  expect(await auditedEvents(visitId)).toEqual([
    'call-asked',
    'call-answered',
    'call-ended',
    'agent-went',
  ])
})

test('a call ends when its page closes', async () => {
  const { visitId, tab, agent, answer } = await ringing()
  await answer()
  tab.close()
  await agent.next('SESSION_DISCONNECTED')
  expect(await auditedEvents(visitId)).toEqual(['call-asked', 'call-answered', 'call-ended'])
})

test('a visitor without an agent adds no audit entries', async () => {
  const { visitId, tab } = await scene.visit(scene.leo)
  for (const isCallActive of [true, false, true, false]) {
    tab.send('UPDATE_SESSION', to('tab1', { isCallActive, agentIds: ['anybody'] }))
  }
  tab.send('UPDATE_SESSION', to('tab1', { active: false }))
  await expect
    .poll(async () => {
      const all = await scene.sam.call.support.visitors()
      return all.find(each => each.visitId === visitId)?.tabs
    })
    .toMatchObject([{ active: false }])
  expect(await scene.audited(visitId)).toEqual([])
})
