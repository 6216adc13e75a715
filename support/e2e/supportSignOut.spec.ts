import { expect, type Page } from '@playwright/test'
import { callVisitor, microphonesOf, recordMicrophones } from './supportCalls.ts'
import { promptOf, test } from './supportDesk.ts'

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Your profile' }).click()
  // The call window covers the right half of the menu, until the user moves it.
  const item = page.getByRole('menuitem', { name: 'Sign out' })
  await item.click({ position: { x: 24, y: 24 } })
  await expect(page).toHaveURL(/sign-in/)
}

test('signing out ends a call and releases the microphone', async ({ page, agent, visit }) => {
  await recordMicrophones(page)
  const tabIdOf = async () => (await visit()).tabs[0]?.tabId ?? ''
  const { sam, calling } = await callVisitor(page, agent, tabIdOf)
  await promptOf(page).getByRole('button', { name: 'Answer' }).click()
  const states = () => microphonesOf(page)
  await expect.poll(states).toEqual(['live'])
  await expect(page.locator('iframe[data-openreplay-ignore]')).toBeVisible()
  await signOut(page)
  await sam.connection.next('call_end')
  await expect.poll(states).toEqual(['ended'])
  await expect(page.locator('iframe[data-openreplay-ignore]')).toHaveCount(0)
  await calling.context().close()
})

test('signing out ends a ringing call', async ({ page, agent, visit }) => {
  const tabIdOf = async () => (await visit()).tabs[0]?.tabId ?? ''
  const { calling } = await callVisitor(page, agent, tabIdOf)
  await signOut(page)
  await expect(promptOf(page)).toHaveCount(0)
  await calling.context().close()
})

test('signing out ends a recording', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  sam.send('request_recording')
  await promptOf(page).getByRole('button', { name: 'Allow recording' }).click()
  await sam.connection.next('recording_accepted')
  await expect(page.locator('.or-recording-border')).toBeVisible()
  await signOut(page)
  await sam.connection.next('recording_rejected')
  await expect(page.locator('.or-recording-border')).toHaveCount(0)
})

test('signing out closes a pending prompt', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  sam.send('request_recording')
  await expect(promptOf(page)).toBeVisible()
  await signOut(page)
  await expect(promptOf(page)).toHaveCount(0)
})

test('signing out ends the visit while the add-on restarts for an agent', async ({
  page,
  agent,
  agentPerson,
  addonStarted,
}) => {
  const sentFrames: string[] = []
  page.on('websocket', socket =>
    socket.on('framesent', ({ payload }) => sentFrames.push(String(payload))),
  )
  await page.goto('/teams')
  await addonStarted()
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route('**/web/tags*', async route => {
    await released
    await route.continue()
  })
  const restarting = page.waitForRequest(/web\/tags/)
  const joining = agent()
  await restarting
  await signOut(page)
  // Socket.IO's disconnect packet; without it the desk would close the connection later.
  await expect.poll(() => sentFrames).toContain('41')
  release()
  const sam = await joining
  await sam.connection.next('SESSION_DISCONNECTED')
  const person = await agentPerson('sam')
  // Visits of earlier tests may take a moment to disappear.
  await expect.poll(() => person.call.support.visitors()).toEqual([])
})
