import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AssistConnection } from '#support/testing/assistConnection.ts'
import { openTab, to } from '#support/testing/assistVisit.ts'
import { type SupportScene, supportScene } from '#support/testing/supportScene.ts'

let scene: SupportScene
beforeAll(async () => {
  scene = await supportScene()
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.app.forgetLimits())
afterEach(() => scene.closeConnections())

/** Waits until the agent's earlier events are handled: a videofeed event always passes. */
async function settle(agent: AssistConnection, tab: AssistConnection, tabId = 'tab1') {
  agent.send('videofeed', to(tabId, { streamId: 'any', enabled: true }))
  await tab.next('videofeed', ([from]) => from === agent.id)
}

async function control(tab: AssistConnection, agent: AssistConnection) {
  agent.send('request_control', to('tab1'))
  await tab.next('request_control')
  tab.send('control_granted', to('tab1', agent.id))
  await agent.next('control_granted')
}

test("a connecting agent is announced with the server's name for them", async () => {
  const { visitId, tab } = await scene.visit(scene.leo)
  const agent = await scene.join(scene.sam, visitId)
  expect(await tab.next('NEW_AGENT')).toEqual([
    agent.id,
    expect.objectContaining({ id: scene.sam.id, name: 'Sam Support', email: scene.sam.email }),
  ])
  agent.send('_agent_name', to('tab1', '<img src=x>'))
  expect(await tab.next('_agent_name')).toMatchObject([agent.id, to('tab1', 'Sam Support')])
  expect(await scene.audited(visitId)).toEqual(['agent-came', 'pass-given'])
})

test('a tab that opens later receives the connected agents', async () => {
  const { visitId, agent } = await scene.together()
  const second = openTab(scene.app.url, scene.leo, { visitId, tabId: 'tab2' })
  expect(await second.next('AGENTS_CONNECTED')).toEqual([[agent.id]])
  second.close()
})

test.each([
  ['move', [10, 20]],
  ['click', [10, 20]],
  ['scroll', [0, 100]],
  ['focus', 7],
  ['input', 'typed'],
  ['startAnnotation', [1, 2]],
  ['moveAnnotation', [1, 2]],
  ['stopAnnotation', undefined],
])('%s reaches the page only from an agent with control', async (event, data) => {
  const { tab, agent } = await scene.together()
  agent.send(event, to('tab1', data))
  await settle(agent, tab)
  expect(tab.received(event)).toEqual([])

  await control(tab, agent)
  agent.send(event, to('tab1', data))
  expect(await tab.next(event)).toEqual([agent.id, to('tab1', data)])
})

test.each([
  ['move', ['10', 20]],
  ['click', [1]],
  ['scroll', null],
  ['input', 'x'.repeat(10_001)],
  ['focus', 'body'],
  ['messages', 'anything'],
  ['NEW_AGENT', 'me'],
  ['view', 'me'],
])('an invalid %s is dropped', async (event, data) => {
  const { tab, agent } = await scene.together()
  await control(tab, agent)
  agent.send(event, to('tab1', data))
  await settle(agent, tab)
  expect(tab.received(event)).toEqual([])
})

test('refused or ended control no longer works', async () => {
  const { visitId, tab, agent } = await scene.together()
  agent.send('request_control', to('tab1'))
  await tab.next('request_control')
  tab.send('control_rejected', to('tab1', agent.id))
  await agent.next('control_rejected')
  expect(await scene.audited(visitId)).toContain('control-refused')

  await control(tab, agent)
  tab.send('control_rejected', to('tab1', agent.id))
  await agent.next('control_rejected')
  agent.send('click', to('tab1', [1, 2]))
  await settle(agent, tab)
  expect(tab.received('click')).toEqual([])
  expect((await scene.audited(visitId)).slice(0, 3)).toEqual([
    'control-ended',
    'control-granted',
    'control-asked',
  ])
})

test('a second agent is notified that control is busy, and has none', async () => {
  const { visitId, tab, agent } = await scene.together()
  const second = await scene.join(await scene.agent('Mia'), visitId)
  await tab.next('NEW_AGENT')
  await control(tab, agent)

  second.send('request_control', to('tab1'))
  expect(await second.next('control_busy')).toEqual([to('tab1', second.id)])
  second.send('click', to('tab1', [1, 2]))
  second.send('release_control', to('tab1'))
  await settle(second, tab)
  expect(tab.received('request_control')).toEqual([])
  expect(tab.received('click')).toEqual([])
  expect(tab.received('release_control')).toEqual([])
})

test('an agent who leaves loses control', async () => {
  const { visitId, tab, agent } = await scene.together()
  await control(tab, agent)
  const gone = agent.id
  agent.close()
  expect(await tab.next('AGENT_DISCONNECTED')).toEqual([gone])
  await tab.next('NO_AGENT')
  expect((await scene.audited(visitId)).slice(0, 2)).toEqual(['agent-went', 'control-ended'])
})

test('a page that reconnects grants control again by itself', async () => {
  const { visitId, tab, agent } = await scene.together()
  await control(tab, agent)
  tab.close()
  await agent.next('SESSION_DISCONNECTED')
  agent.send('click', to('tab1', [1, 2]))
  await agent.next('SESSION_DISCONNECTED')

  const again = openTab(scene.app.url, scene.leo, { visitId, tabId: 'tab1' })
  expect(await again.next('AGENTS_CONNECTED')).toEqual([[agent.id]])
  agent.send('click', to('tab1', [3, 4]))
  await settle(agent, again)
  expect(again.received('click')).toEqual([])
  again.send('control_granted', to('tab1', agent.id))
  await agent.next('control_granted')
  agent.send('click', to('tab1', [5, 6]))
  expect(await again.next('click')).toEqual([agent.id, to('tab1', [5, 6])])
  again.close()
})

test('only the agent who started a recording can stop it', async () => {
  const { visitId, tab, agent } = await scene.together()
  const second = await scene.join(await scene.agent('Mia'), visitId)
  await tab.next('NEW_AGENT')
  agent.send('request_recording', to('tab1'))
  const [, { data }] = (await tab.next('request_recording')) as [string, { data: string }]
  expect(JSON.parse(data)).toMatchObject({ name: 'Sam Support' })
  tab.send('recording_accepted')
  expect(await agent.next('recording_accepted')).toEqual([to('tab1', agent.id)])
  expect(await second.next('recording_accepted')).toEqual([to('tab1', agent.id)])

  second.send('request_recording', to('tab1'))
  expect(await second.next('recording_busy')).toEqual([to('tab1', second.id)])
  second.send('stop_recording', to('tab1'))
  await settle(second, tab)
  expect(tab.received('stop_recording')).toEqual([])
  agent.send('stop_recording', to('tab1'))
  expect(await tab.next('stop_recording')).toEqual([agent.id, to('tab1')])
})

test('after a reload any agent may request a recording, one at a time', async () => {
  const { visitId, tab, agent } = await scene.together()
  const second = await scene.join(await scene.agent('Mia'), visitId)
  agent.send('request_recording', to('tab1'))
  await tab.next('request_recording')
  tab.send('recording_accepted')
  await agent.next('recording_accepted')
  tab.close()
  await agent.next('SESSION_DISCONNECTED')
  const again = openTab(scene.app.url, scene.leo, { visitId, tabId: 'tab1' })
  await again.next('AGENTS_CONNECTED')
  second.send('request_recording', to('tab1'))
  await again.next('request_recording', ([from]) => from === second.id)
  second.send('request_recording', to('tab1'))
  agent.send('request_recording', to('tab1'))
  await agent.next('recording_busy')
  await settle(second, again)
  expect(again.received('request_recording')).toEqual([])
  again.close()
})

test('an answer for an agent who has left does not apply to the next request', async () => {
  const { visitId, tab, agent } = await scene.together()
  const second = await scene.join(await scene.agent('Mia'), visitId)
  await tab.next('NEW_AGENT')
  agent.send('request_recording', to('tab1'))
  await tab.next('request_recording')
  const gone = agent.id
  agent.close()
  await tab.next('AGENT_DISCONNECTED')
  second.send('request_recording', to('tab1'))
  await tab.next('request_recording', ([from]) => from === second.id)
  tab.send('recording_accepted', to('tab1', gone))
  expect(await tab.next('stop_recording')).toEqual([gone, { meta: { tabId: 'tab1' } }])
  tab.send('recording_rejected', to('tab1', gone))
  tab.send('view', to('tab1', Buffer.from('page')))
  tab.send('recording_accepted', to('tab1', second.id))
  expect(await second.next('recording_accepted')).toEqual([to('tab1', second.id)])
  expect(second.received('recording_rejected')).toEqual([])
  expect(second.received('view')).toEqual([])
})

test('a tab is in no call once its agent has left', async () => {
  const { visitId, tab, agent } = await scene.together()
  const inCall = async () => {
    const all = await scene.sam.call.support.visitors()
    return all.find(each => each.visitId === visitId)?.tabs[0]?.inCall
  }
  tab.send('UPDATE_SESSION', to('tab1', { isCallActive: true, agentIds: [agent.pass.peerId] }))
  await expect.poll(inCall).toBe(true)
  agent.close()
  await tab.next('AGENT_DISCONNECTED')
  expect(await inCall()).toBe(false)
})

test('only an agent with consent receives the page', async () => {
  const { visitId, tab, agent } = await scene.together()
  const second = await scene.join(await scene.agent('Mia'), visitId)
  await tab.next('NEW_AGENT')
  tab.send('view', to('tab1', Buffer.from('before')))
  await control(tab, agent)
  tab.send('view', to('tab1', Buffer.from('after')))
  expect(await agent.next('view')).toEqual([to('tab1', Buffer.from('after'))])
  // Waits for an event that all agents receive.
  await second.next('control_granted')
  tab.send('control_busy', to('tab1', second.id))
  await second.next('control_busy')
  expect(second.received('view')).toEqual([])

  tab.send('control_rejected', to('tab1', agent.id))
  await agent.next('control_rejected')
  tab.send('view', to('tab1', Buffer.from('later')))
  tab.send('control_busy', to('tab1', agent.id))
  await agent.next('control_busy')
  expect(agent.received('view')).toEqual([])
})

test('a tab can only send known, valid events', async () => {
  const { tab, agent } = await scene.together()
  tab.send('messages', to('tab1', [[0, 1]]))
  tab.send('NEW_AGENT', agent.id)
  tab.send('UPDATE_SESSION', to('tab1', { active: 'no' }))
  tab.send('UPDATE_SESSION', to('tab1', { pageTitle: 'Members of Night Owls' }))
  tab.send('UPDATE_SESSION', to('tab1', { active: false, userID: 'somebody@else.example' }))
  expect(await agent.next('UPDATE_SESSION')).toEqual([to('tab1', { active: false })])
  expect(agent.received('messages')).toEqual([])
  expect(agent.received('NEW_AGENT')).toEqual([])
})

test('agents see who is there, but nothing of what their tabs show', async () => {
  const { visitId, tab } = await scene.together()
  tab.send('UPDATE_SESSION', to('tab1', { pageTitle: 'Members of Night Owls', active: false }))
  await expect
    .poll(async () => {
      const all = await scene.sam.call.support.visitors()
      return all.find(each => each.visitId === visitId)
    })
    .toMatchObject({
      person: { id: scene.leo.id, email: scene.leo.email },
      tabs: [{ tabId: 'tab1', active: false, inCall: false }],
      agents: ['Sam Support'],
    })
  expect(JSON.stringify(await scene.sam.call.support.visitors())).not.toContain('Night Owls')
})

test('a request for control sends the agent’s name again after a call', async () => {
  const { tab, agent } = await scene.together()
  await settle(agent, tab)
  await tab.next('_agent_name')
  agent.send('request_control', to('tab1'))
  await tab.next('request_control')
  expect(tab.received('_agent_name')).toMatchObject([[agent.id, to('tab1', 'Sam Support')]])
})

test('agents are notified when one of several pages closes', async () => {
  const { visitId, tab, agent } = await scene.together()
  const second = openTab(scene.app.url, scene.leo, { visitId, tabId: 'tab2' })
  expect(await agent.next('SESSION_RECONNECTED')).toEqual(['tab2'])
  second.close()
  expect(await agent.next('SESSION_DISCONNECTED')).toEqual(['tab2'])
  await settle(agent, tab)
})
