import { expect } from '@playwright/test'
import { advanceUntil, pauseClock } from '../../e2e/drive/driveScreen.ts'
import { hold } from '../../e2e/mockApi.ts'
import { site } from './deskServers.ts'
import { promptOf, recordFrames, setHidden, test } from './supportDesk.ts'

// spec: SO-4 PR-5 RO-6
test('control can be refused', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  sam.send('request_control')
  const prompt = promptOf(page)
  await expect(prompt).toContainText('Pitboard support asks to see this page')
  await expect(prompt.getByRole('button', { name: 'Reject' })).toBeFocused()
  await prompt.getByRole('button', { name: 'Reject' }).click()
  expect(await sam.connection.next('control_rejected')).toMatchObject([{ data: sam.connection.id }])
  await expect(prompt).toHaveCount(0)

  sam.send('request_control')
  await expect(prompt.getByRole('button', { name: 'Reject' })).toBeFocused()
  await page.keyboard.press('Escape')
  await sam.connection.next('control_rejected')
  await expect(prompt).toHaveCount(0)
  await expect(page).toHaveURL(`${site}/teams`)
})

// spec: SO-2 SO-15
test('an agent with control clicks, types and scrolls until the user ends it', async ({
  page,
  agent,
}) => {
  await page.setViewportSize({ width: 800, height: 200 })
  await page.goto('/teams/create')
  const sam = await agent()
  sam.send('request_control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await sam.connection.next('control_granted')
  await expect(page.getByText('sam Suppo…')).toBeVisible()

  const field = page.getByRole('textbox')
  const box = await field.boundingBox()
  sam.send('click', [(box?.x ?? 0) + 20, (box?.y ?? 0) + 10])
  sam.send('input', 'Night Owls')
  await expect(field).toHaveValue('Night Owls')
  await expect(field).toBeFocused()
  sam.send('move', [40, 50])
  sam.send('scroll', [0, 60])
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0)

  const callWindow = page.frameLocator('iframe[data-openreplay-ignore]')
  await callWindow.getByRole('button', { name: 'End control' }).click()
  await sam.connection.next('control_rejected')
  await expect(page.getByText('sam Suppo…')).toHaveCount(0)
})

test('an agent with control cannot click Allow on a prompt', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  sam.send('request_control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await sam.connection.next('control_granted')
  sam.send('request_recording')
  const allow = promptOf(page).getByRole('button', { name: 'Allow recording' })
  // Waits until it is in its place.
  await allow.click({ trial: true })
  const box = await allow.boundingBox()
  sam.send('click', [(box?.x ?? 0) + 20, (box?.y ?? 0) + 10])
  await expect(allow).toBeFocused()
  await expect(page.locator('.or-recording-border')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await sam.connection.next('recording_rejected')
})

test('a page that opens behind a prompt gets the focus after the answer', async ({
  page,
  agent,
}) => {
  await page.goto('/teams/create')
  const sam = await agent()
  const release = await hold(page, 'teams.create')
  await page.getByLabel('Team Name').fill('Night Owls')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  sam.send('request_control')
  const reject = promptOf(page).getByRole('button', { name: 'Reject' })
  await expect(reject).toBeFocused()
  await release()
  const title = page.getByRole('heading', { name: 'Night Owls' })
  await expect(title).toBeVisible()
  await expect(reject).toBeFocused()
  await page.keyboard.press('Escape')
  await sam.connection.next('control_rejected')
  await expect(title).toBeFocused()
})

test('a second agent receives busy', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  const mia = await agent('mia')
  sam.send('request_control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await sam.connection.next('control_granted')
  mia.send('request_control')
  expect(await mia.connection.next('control_busy')).toMatchObject([{ data: mia.connection.id }])
  await expect(promptOf(page)).toHaveCount(0)
})

// spec: SO-5
test('hiding the tab ends control, which then needs consent again', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  sam.send('request_control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await sam.connection.next('control_granted')
  await setHidden(page, true)
  await sam.connection.next('control_rejected')
  await setHidden(page, false)
  sam.send('request_control')
  await expect(promptOf(page)).toBeVisible()
  expect(sam.connection.received('control_granted')).toEqual([])
})

// spec: SO-5
test('control ends when the agent disconnects', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  sam.send('request_control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await expect(page.getByText('sam Suppo…')).toBeVisible()
  sam.connection.close()
  await expect(page.getByText('sam Suppo…')).toHaveCount(0)
})

// spec: SO-5
test('the same agent keeps control across a reload, without a prompt', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  sam.send('request_control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await sam.connection.next('control_granted')
  await page.reload()
  expect(await sam.connection.next('control_granted')).toMatchObject([{ data: sam.connection.id }])
  await expect(page.getByText('sam Suppo…')).toBeVisible()
})

// spec: SO-5
test('control survives a reload even if the socket connects first', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  sam.send('request_control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await sam.connection.next('control_granted')
  // This request is the last step of the add-on's start.
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route('**/web/tags*', async route => {
    await released
    await route.continue()
  })
  const frames = recordFrames(page)
  await page.reload()
  await expect.poll(() => frames.join()).toContain('AGENTS_CONNECTED')
  release()
  expect(await sam.connection.next('control_granted')).toMatchObject([{ data: sam.connection.id }])
  await expect(page.getByText('sam Suppo…')).toBeVisible()
})

// spec: SO-4
test('an unanswered request expires after 30 s', async ({ page, agent }) => {
  await page.clock.install()
  await page.goto('/teams')
  await page.clock.runFor(2000)
  const sam = await agent()
  // The 30 s must not pass while the test looks for the prompt.
  await pauseClock(page)
  sam.send('request_control')
  await advanceUntil(page, () => expect(promptOf(page)).toBeVisible({ timeout: 100 }))
  await page.clock.runFor(25_000)
  await expect(promptOf(page)).toBeVisible()
  await page.clock.runFor(6000)
  await page.clock.resume()
  await sam.connection.next('control_rejected')
  await expect(promptOf(page)).toHaveCount(0)
})

test('a deferred request expires without being shown', async ({ page, agent }) => {
  const frames = recordFrames(page)
  await page.clock.install()
  await page.goto('/teams')
  await page.clock.runFor(2000)
  const sam = await agent()
  // The drive screen sets this attribute while it shows a message.
  await page.evaluate(() => document.querySelector('main')?.setAttribute('data-undisturbed', ''))
  sam.send('request_control')
  await expect.poll(() => frames.join()).toContain('request_control')
  await page.clock.runFor(31_000)
  await sam.connection.next('control_rejected')
  await page.evaluate(() => document.querySelector('main')?.removeAttribute('data-undisturbed'))
  await expect(promptOf(page)).toHaveCount(0)
})
