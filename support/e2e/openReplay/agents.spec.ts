import { expect, type Page } from '@playwright/test'
import { callWindow } from '../supportCalls.ts'
import { promptOf, recordFrames } from '../supportDesk.ts'
import { allow, border, forgetNotices, isOwn, pointer, record, takeControl } from './consents.ts'
import { test } from './replayDesk.ts'

// spec: SO-4
test('a second request for control is busy, and the first one stays', async ({ page, agent }) => {
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  const sam = await agent('Sam Reed')
  mia.requestControl()
  await expect(promptOf(page)).toBeVisible()
  sam.requestControl()
  expect(await sam.connection.next('control_busy')).toMatchObject([{ data: sam.connection.id }])
  mia.requestControl()
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
  sam.requestControl()
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

// spec: SO-2
test('an agent who was there before the page is named', async ({ page, agent }) => {
  // The server announces such an agent without a name.
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  await page.reload()
  await mia.connection.next('SESSION_RECONNECTED')
  await takeControl(page, mia)
  await expect(pointer(page)).toBeVisible()
  await expect(callWindow(page).locator('#agent-name')).toHaveText('Mia Frost')
})
