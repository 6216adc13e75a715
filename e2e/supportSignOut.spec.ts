import { expect, type Page } from '@playwright/test'
import { called } from './supportCalls.ts'
import { promptOf, test } from './supportDesk.ts'

declare global {
  interface Window {
    /** Every microphone that the page was given. */
    microphones: MediaStreamTrack[]
  }
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Your profile' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/sign-in/)
}

test('signing out ends a call, and lets the microphone go', async ({ page, agent, visit }) => {
  await page.addInitScript(() => {
    window.microphones = []
    const { mediaDevices } = navigator
    const ask = mediaDevices.getUserMedia.bind(mediaDevices)
    mediaDevices.getUserMedia = async wanted => {
      const stream = await ask(wanted)
      window.microphones.push(...stream.getTracks())
      return stream
    }
  })
  const tabIdOf = async () => (await visit()).tabs[0]?.tabId ?? ''
  const { sam, calling } = await called(page, agent, tabIdOf)
  await promptOf(page).getByRole('button', { name: 'Answer' }).click()
  const states = () => page.evaluate(() => window.microphones.map(({ readyState }) => readyState))
  await expect.poll(states).toEqual(['live'])
  await expect(page.locator('iframe[data-openreplay-ignore]')).toBeVisible()
  await signOut(page)
  await sam.connection.next('call_end')
  await expect.poll(states).toEqual(['ended'])
  await expect(page.locator('iframe[data-openreplay-ignore]')).toHaveCount(0)
  await calling.context().close()
})

test('signing out takes a call along that rings', async ({ page, agent, visit }) => {
  const tabIdOf = async () => (await visit()).tabs[0]?.tabId ?? ''
  const { calling } = await called(page, agent, tabIdOf)
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

test('signing out takes along what is still asked', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  sam.send('request_recording')
  await expect(promptOf(page)).toBeVisible()
  await signOut(page)
  await expect(promptOf(page)).toHaveCount(0)
})

test('signing out ends the visit also while it begins anew for an agent', async ({
  page,
  agent,
  agentPerson,
  begun,
}) => {
  const said: string[] = []
  page.on('websocket', socket =>
    socket.on('framesent', ({ payload }) => said.push(String(payload))),
  )
  await page.goto('/teams')
  await begun()
  let letGo = () => {}
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  await page.route('**/web/tags*', async route => {
    await held
    await route.continue()
  })
  const beginsAnew = page.waitForRequest(/web\/tags/)
  const joining = agent()
  await beginsAnew
  await signOut(page)
  // Socket.IO's word for leaving; the desk would throw the connection out only later.
  await expect.poll(() => said).toContain('41')
  letGo()
  const sam = await joining
  await sam.connection.next('SESSION_DISCONNECTED')
  const person = await agentPerson('sam')
  expect(await person.call.support.visitors()).toEqual([])
})
