import { expect, type Page } from '@playwright/test'
import { callWindow, microphonesOf } from '../supportCalls.ts'
import { interceptConnection, promptOf, recordFrames } from '../supportDesk.ts'
import { openConnection, type ReplayAgent, test } from './replayDesk.ts'

const border = (page: Page) => page.locator('.or-recording-border')
const pointer = (page: Page, name = 'Mia Frost') => page.locator('body > div').getByText(name)
const frame = (page: Page) => page.locator('iframe[data-openreplay-ignore]')
const allow = (page: Page) => promptOf(page).getByRole('button', { name: /^Allow/ })

async function takeControl(page: Page, agent: ReplayAgent) {
  agent.send('request_control', '{}')
  await allow(page).click()
  await agent.connection.next('control_granted', ([sent]) => isOwn(agent, sent))
}

async function record(page: Page, agent: ReplayAgent) {
  agent.send('request_recording', '{}')
  await allow(page).click()
  await agent.connection.next('recording_accepted')
  await expect(border(page)).toBeVisible()
  await forgetNotices(agent)
}

/** Takes out the notices that nobody records, which an agent also receives when one joins. */
async function forgetNotices({ connection }: ReplayAgent) {
  for (const _ of connection.received('recording_rejected')) {
    await connection.next('recording_rejected')
  }
}

/** Whether a control event is about this agent: all agents receive them. */
function isOwn({ connection }: ReplayAgent, sent: unknown): boolean {
  return (sent as { data?: unknown }).data === connection.id
}

/** Waits until nothing of an agent is left on the page. */
async function expectNoAgent(page: Page) {
  await expect(border(page)).toHaveCount(0)
  await expect(pointer(page)).toHaveCount(0)
  await expect(frame(page)).toHaveCount(0)
  await expect.poll(() => microphonesOf(page)).not.toContain('live')
}

// spec: SO-4
test('a second request for control is busy, and the first one stays', async ({ page, agent }) => {
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  const sam = await agent('Sam Reed')
  mia.send('request_control', '{}')
  await expect(promptOf(page)).toBeVisible()
  sam.send('request_control', '{}')
  expect(await sam.connection.next('control_busy')).toMatchObject([{ data: sam.connection.id }])
  mia.send('request_control', '{}')
  await allow(page).click()
  await mia.connection.next('control_granted')
  await expect(pointer(page)).toBeVisible()
  expect(mia.connection.received('control_rejected')).toEqual([])
})

// spec: SO-5
test('only the agent with control releases it, focuses, and draws', async ({ page, agent }) => {
  await page.goto('/teams/create')
  const mia = await agent('Mia Frost')
  const sam = await agent('Sam Reed')
  await takeControl(page, mia)
  const field = page.getByRole('textbox')
  const box = await field.boundingBox()
  mia.send('click', [(box?.x ?? 0) + 20, (box?.y ?? 0) + 10])
  await expect(field).toBeFocused()
  // Node 1 of the tracker is an element of the page's head or body, never a field.
  sam.send('focus', 1)
  sam.send('startAnnotation', [100, 100])
  sam.send('moveAnnotation', [200, 100])
  sam.send('release_control')
  // Events of one agent are handled in order.
  sam.send('request_control', '{}')
  await sam.connection.next('control_busy')
  mia.send('input', 'Night Owls')
  await expect(field).toHaveValue('Night Owls')
  expect(await drawnAlpha(page)).toBe(0)
  await expect(pointer(page)).toBeVisible()
  mia.send('release_control')
  await expect(pointer(page)).toHaveCount(0)
})

/** The opacity of the annotation between two points that an agent would draw. */
const drawnAlpha = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-openreplay-hidden]')
    return canvas?.getContext('2d')?.getImageData(150, 100, 1, 1).data[3]
  })

// spec: SO-6
test('a recording request closes when its agent leaves, and nobody records', async ({
  page,
  agent,
}) => {
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  const sam = await agent('Sam Reed')
  mia.send('request_recording', '{}')
  await expect(promptOf(page)).toBeVisible()
  await forgetNotices(sam)
  mia.connection.close()
  await expect(promptOf(page)).toHaveCount(0)
  await sam.connection.next('recording_rejected')
  expect(sam.connection.received('recording_accepted')).toEqual([])
  await record(page, sam)
})

// spec: SO-6
test('a former recorder who leaves does not cancel a request of another agent', async ({
  page,
  agent,
}) => {
  const frames = recordFrames(page)
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  const sam = await agent('Sam Reed')
  await record(page, mia)
  mia.send('stop_recording')
  await expect(border(page)).toHaveCount(0)
  sam.send('request_recording', '{}')
  await expect(promptOf(page)).toBeVisible()
  mia.send('stop_recording')
  mia.connection.close()
  await expect.poll(() => frames.join()).toContain('AGENT_DISCONNECTED')
  await allow(page).click()
  await expect(border(page)).toBeVisible()
  await sam.connection.next('recording_accepted', ([sent]) => isOwn(sam, sent))
})

// spec: SO-6
test('after a reload the player receives that it does not record any more', async ({
  page,
  agent,
}) => {
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  await record(page, mia)
  await page.reload()
  await mia.connection.next('recording_rejected')
  await expect(border(page)).toHaveCount(0)
})

// spec: SO-5
test('after a reload pointer and window show the name of the agent', async ({ page, agent }) => {
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  await takeControl(page, mia)
  await page.reload()
  await expect(pointer(page)).toBeVisible()
  await expect(callWindow(page).locator('#agent-name')).toHaveText('Mia Frost')
})

// spec: SO-5 SO-6 SO-7
test('nothing of an agent stays who left while the page was disconnected', async ({
  page,
  agent,
}) => {
  const connection = await interceptConnection(page)
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  await takeControl(page, mia)
  await record(page, mia)
  await mia.call()
  await promptOf(page).getByRole('button', { name: 'Answer' }).click()
  await expect.poll(() => microphonesOf(page)).toEqual(['live'])
  connection.down()
  await mia.connection.next('SESSION_DISCONNECTED')
  mia.connection.close()
  await expect(pointer(page)).toBeVisible()
  connection.up()
  await expectNoAgent(page)
  // An agent who comes back has to ask again, and can.
  const again = await agent('Mia Frost')
  await takeControl(page, again)
})

// spec: SO-5 SO-6
test('nothing of an agent stays who returns after the page, as somebody else', async ({
  page,
  agent,
}) => {
  const connection = await interceptConnection(page)
  const frames = recordFrames(page)
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  await takeControl(page, mia)
  await record(page, mia)
  connection.down()
  await mia.connection.next('SESSION_DISCONNECTED')
  mia.connection.close()
  frames.length = 0
  connection.up()
  // The namespace of Socket.IO is open.
  await expect.poll(() => frames.some(each => each.startsWith('40'))).toBe(true)
  const again = await agent('Mia Frost')
  await again.connection.next('recording_rejected')
  await expectNoAgent(page)
  await takeControl(page, again)
})

// spec: SO-5 SO-6
test('nothing of an agent stays who returned before the page', async ({ page, agent, replay }) => {
  const connection = await interceptConnection(page)
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  await takeControl(page, mia)
  await record(page, mia)
  connection.down()
  await mia.connection.next('SESSION_DISCONNECTED')
  mia.connection.close()
  const again = openConnection(replay, 'Mia Frost')
  await again.opened()
  connection.up()
  await again.next('recording_rejected')
  await expectNoAgent(page)
  again.close()
})

// spec: SO-5 SO-10
test('control and recording continue after a short loss of the connection', async ({
  page,
  agent,
}) => {
  const connection = await interceptConnection(page)
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  await takeControl(page, mia)
  await record(page, mia)
  connection.down()
  await mia.connection.next('SESSION_DISCONNECTED')
  connection.up()
  await mia.connection.next('control_granted')
  await expect(pointer(page)).toBeVisible()
  await expect(border(page)).toBeVisible()
  expect(mia.connection.received('recording_rejected')).toEqual([])
})

// spec: SO-5 SO-6
test('nothing of an agent stays on a page that is disconnected for a minute', async ({
  page,
  agent,
}) => {
  const connection = await interceptConnection(page)
  await page.clock.install()
  await page.goto('/teams')
  await page.clock.runFor(2000)
  const mia = await agent('Mia Frost')
  await takeControl(page, mia)
  await record(page, mia)
  connection.down()
  await mia.connection.next('SESSION_DISCONNECTED')
  await page.clock.runFor(55_000)
  await expect(border(page)).toBeVisible()
  await page.clock.runFor(6000)
  await expectNoAgent(page)
})
