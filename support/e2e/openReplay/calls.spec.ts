import { expect, type Page } from '@playwright/test'
import { callWindow, microphonesOf } from '../supportCalls.ts'
import { promptOf, setHidden } from '../supportDesk.ts'
import { frame } from './consents.ts'
import { callStateOf, test } from './replayDesk.ts'

async function answer(page: Page) {
  await promptOf(page).getByRole('button', { name: 'Answer' }).click()
  await expect.poll(async () => (await microphonesOf(page)).at(-1)).toBe('live')
  await expect(frame(page)).toBeVisible()
}

/** Waits until nothing of a call is left on the page. */
async function expectNoCall(page: Page) {
  await expect(frame(page)).toHaveCount(0)
  await expect.poll(() => microphonesOf(page)).not.toContain('live')
  await expect(promptOf(page)).toHaveCount(0)
}

// spec: SO-7
test('a call ends when its agent hangs up, although another one called before', async ({
  page,
  agent,
}) => {
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  await mia.call()
  await promptOf(page).getByRole('button', { name: 'Reject' }).click()
  await mia.connection.next('call_end')
  const sam = await agent('Sam Reed')
  await sam.call()
  await answer(page)
  await expect(callWindow(page).locator('#agent-name')).toHaveText('Sam Reed')
  mia.send('call_end')
  sam.requestControl()
  await expect(promptOf(page)).toBeVisible()
  await expect(frame(page)).toBeVisible()
  await page.keyboard.press('Escape')
  sam.send('call_end')
  await expectNoCall(page)
})

// spec: SO-7
test('a second caller is refused while another agent talks, who can still hang up', async ({
  page,
  agent,
}) => {
  await page.goto('/teams')
  // The window shows 20 characters of a name.
  const mia = await agent('Maximiliane Frostenberger')
  const sam = await agent('Sam Reed')
  const first = await mia.call()
  await answer(page)
  const second = await sam.call()
  await expect.poll(() => callStateOf(second)).toEqual({ answered: false, closed: true })
  expect(await callStateOf(first)).toEqual({ answered: true, closed: false })
  await expect(promptOf(page)).toHaveCount(0)
  await expect(callWindow(page).locator('#agent-name')).toHaveText('Maximiliane Frosten…')
  sam.send('call_end')
  sam.connection.close()
  await mia.connection.next('AGENT_DISCONNECTED')
  mia.send('call_end')
  await expectNoCall(page)
})

// spec: SO-7
test('a call ends with the connection between the two browsers', async ({ page, agent }) => {
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  const player = await mia.call()
  await answer(page)
  await expect.poll(() => callStateOf(player)).toMatchObject({ answered: true })
  await player.evaluate(() => window.call?.close())
  await expectNoCall(page)
  await mia.connection.next('call_end')
})

// spec: SO-7
test('a call ends when its agent disconnects while another one stays', async ({ page, agent }) => {
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  const sam = await agent('Sam Reed')
  await sam.call()
  await promptOf(page).getByRole('button', { name: 'Reject' }).click()
  await sam.connection.next('call_end')
  await mia.call()
  await answer(page)
  mia.connection.close()
  await expectNoCall(page)
})

// spec: SO-7
test('a call that is ringing ends when its agent disconnects', async ({ page, agent }) => {
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  await agent('Sam Reed')
  await mia.call()
  await expect(promptOf(page)).toBeVisible()
  mia.connection.close()
  await expectNoCall(page)
})

// spec: SO-7
test('a call that rings after an earlier one survives hiding the page', async ({ page, agent }) => {
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  await mia.call()
  await answer(page)
  mia.send('call_end')
  await expectNoCall(page)
  await mia.call()
  await expect(promptOf(page)).toBeVisible()
  await setHidden(page, true)
  await setHidden(page, false)
  await expect(promptOf(page)).toBeVisible()
  await answer(page)
})

test('the window of a call closes with it while a request for control is open', async ({
  page,
  agent,
}) => {
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  const sam = await agent('Sam Reed')
  await mia.call()
  await answer(page)
  sam.requestControl()
  await expect(promptOf(page)).toContainText('asks to use it')
  await expect(callWindow(page).locator('#agent-name')).toHaveText('Mia Frost')
  mia.send('call_end')
  await expect(frame(page)).toHaveCount(0)
  await expect.poll(() => microphonesOf(page)).not.toContain('live')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await expect(callWindow(page).locator('#agent-name')).toHaveText('Sam Reed')
})

test('a camera that starts after the call has ended is stopped', async ({ page, agent }) => {
  await page.addInitScript(() => {
    const { mediaDevices } = navigator
    const original = mediaDevices.getUserMedia.bind(mediaDevices)
    mediaDevices.getUserMedia = async wanted => {
      if (wanted?.video) await new Promise(resolve => addEventListener('allowed', resolve))
      return original(wanted)
    }
  })
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  await mia.call()
  await answer(page)
  await callWindow(page).getByRole('button', { name: 'Camera' }).click()
  mia.send('call_end')
  await expectNoCall(page)
  await page.evaluate(() => void dispatchEvent(new Event('allowed')))
  await expect.poll(() => microphonesOf(page)).toEqual(['ended', 'ended'])
})

// spec: SO-16
test('the call window has its size before its style sheet has loaded', async ({ page, agent }) => {
  await page.route('**/support/call.css', () => {})
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  mia.requestControl()
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await expect(callWindow(page).getByRole('button', { name: 'End control' })).toBeVisible()
  await expect(frame(page)).toHaveCSS('width', '200px')
  await expect(frame(page)).toHaveCSS('height', '200px')
})
