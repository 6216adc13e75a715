import { expect, type Page } from '@playwright/test'
import {
  type Agent,
  interceptConnection,
  promptOf,
  recordFrames,
  setHidden,
  test,
} from './supportDesk.ts'

const pointer = (page: Page) => page.getByText('sam Suppo…')

async function takeControl(page: Page, agent: Agent) {
  agent.send('request_control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await agent.connection.next('control_granted')
}

// spec: SO-5
test('control ends if its agent leaves during a connection loss', async ({
  page,
  agent,
  visit,
}) => {
  const connection = await interceptConnection(page)
  await page.goto('/teams')
  const sam = await agent()
  await takeControl(page, sam)
  await expect(pointer(page)).toBeVisible()
  connection.down()
  await sam.connection.next('SESSION_DISCONNECTED')
  sam.connection.close()
  connection.up()
  await expect(pointer(page)).toHaveCount(0)
  await expect(page.locator('iframe[data-openreplay-ignore]')).toHaveCount(0)
  await visit()
  await takeControl(page, await agent('mia'))
})

// spec: SO-5
test('control ends if its agent leaves during a connection loss and another stays', async ({
  page,
  agent,
}) => {
  const connection = await interceptConnection(page)
  await page.goto('/teams')
  const sam = await agent()
  const mia = await agent('mia')
  await takeControl(page, sam)
  connection.down()
  await mia.connection.next('SESSION_DISCONNECTED')
  sam.connection.close()
  connection.up()
  await expect(pointer(page)).toHaveCount(0)
  await takeControl(page, mia)
})

// spec: SO-5
test('another agent who leaves ends neither control nor a request', async ({ page, agent }) => {
  const frames = recordFrames(page)
  await page.goto('/teams/create')
  const sam = await agent()
  const mia = await agent('mia')
  sam.send('request_control')
  await expect(promptOf(page)).toBeVisible()
  mia.connection.close()
  await expect.poll(() => frames.join()).toContain('AGENT_DISCONNECTED')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await sam.connection.next('control_granted')

  frames.length = 0
  const again = await agent('mia')
  again.connection.close()
  await expect.poll(() => frames.join()).toContain('AGENT_DISCONNECTED')
  const field = page.getByRole('textbox')
  const box = await field.boundingBox()
  sam.send('click', [(box?.x ?? 0) + 20, (box?.y ?? 0) + 10])
  sam.send('input', 'Night Owls')
  await expect(field).toHaveValue('Night Owls')
})

// spec: SO-5
test('control survives a reload although a second agent has joined', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  await takeControl(page, sam)
  await agent('mia')
  await page.reload()
  expect(await sam.connection.next('control_granted')).toMatchObject([{ data: sam.connection.id }])
  await expect(pointer(page)).toBeVisible()
})

// spec: SO-5
test('control does not return to a tab discarded while hidden', async ({
  page,
  agent,
  addonStarted,
}) => {
  await page.goto('/teams')
  const sam = await agent()
  await takeControl(page, sam)
  await setHidden(page, true)
  const storedPeer = () => page.evaluate(() => sessionStorage.getItem('__openreplay_control_peer'))
  await expect.poll(storedPeer).toBeNull()
  await page.reload()
  await sam.connection.next('SESSION_RECONNECTED')
  await addonStarted()
  sam.send('request_control')
  await expect(promptOf(page)).toBeVisible()
  expect(sam.connection.received('control_granted')).toEqual([])
})
