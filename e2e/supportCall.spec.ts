import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { Peer as PeerJS } from 'peerjs'
import { heardPackets, rememberConnections } from './heardPackets.ts'
import { type Agent, promptOf, setHidden, site, test } from './supportDesk.ts'

/** PeerJS as a plain script, in the page that stands for an agent's. */
const peerScript = join(
  createRequire(import.meta.url).resolve('peerjs/package.json'),
  '../dist/peerjs.min.js',
)

/** A page of the agent's that calls the visitor's tab, with the made-up microphone. */
async function callFrom(page: Page, { pass, person }: Agent, tabId: string): Promise<Page> {
  const context = await page.context().browser()?.newContext({ baseURL: site })
  if (!context) throw new Error('There is no browser.')
  await context.addCookies(person.jar.cookiesFor(site))
  const calling = await context.newPage()
  await rememberConnections(calling)
  await calling.addInitScript({ path: peerScript })
  await calling.goto('/support/call.html')
  await calling.evaluate(
    async ({ room, peerId, token, tab }) => {
      const { Peer } = (window as unknown as { peerjs: { Peer: typeof PeerJS } }).peerjs
      const peer = new Peer(peerId, {
        host: location.hostname,
        port: 80,
        path: '/assist',
        token,
        config: { iceServers: [] },
      })
      await new Promise(resolve => peer.once('open', resolve))
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: true })
      const call = () => peer.call(`${room}-${tab}`, stream)
      // The tab may not be at the signalling yet.
      peer.on('error', call)
      call()
    },
    { ...pass, tab: tabId },
  )
  return calling
}

async function called(page: Page, agent: (name?: string) => Promise<Agent>, tabIdOf: TabIdOf) {
  await rememberConnections(page)
  await page.goto('/teams')
  const sam = await agent()
  const calling = await callFrom(page, sam, await tabIdOf())
  await expect(promptOf(page)).toContainText('Pitboard support is calling you')
  return { sam, calling }
}
type TabIdOf = () => Promise<string>

const windowOf = (page: Page) => page.frameLocator('iframe[data-openreplay-ignore]')

// spec: SO-2 SO-7 SO-15 SO-16
test('a call rings, is answered, and is heard on both sides until it is ended', async ({
  page,
  agent,
  visit,
}) => {
  const rings = page.waitForRequest(/support\/ring\.wav/)
  const tabIdOf = async () => (await visit()).tabs[0]?.tabId ?? ''
  const { sam, calling } = await called(page, agent, tabIdOf)
  await rings
  await promptOf(page).getByRole('button', { name: 'Answer' }).click()
  await expect.poll(() => heardPackets(page)).toBeGreaterThan(0)
  await expect.poll(() => heardPackets(calling)).toBeGreaterThan(0)
  await expect(windowOf(page).getByText('sam Support')).toBeVisible()
  const frame = page.locator('iframe[data-openreplay-ignore]')
  await expect(frame).toHaveCSS('width', '200px')
  await expect(frame).toHaveCSS('height', '200px')
  expect((await visit()).tabs[0]).toMatchObject({ inCall: true })

  await windowOf(page).getByRole('button', { name: 'End call' }).click()
  await sam.line.next('call_end')
  await expect(frame).toHaveCount(0)
  await expect.poll(async () => (await visit()).tabs[0]?.inCall).toBe(false)
  const events = (await sam.person.call.support.audit({ limit: 5 })).map(({ event }) => event)
  expect(events.slice(0, 3)).toEqual(['call-ended', 'call-answered', 'call-asked'])
  await calling.context().close()
})

// spec: SO-7
test('a call is refused', async ({ page, agent, visit }) => {
  const tabIdOf = async () => (await visit()).tabs[0]?.tabId ?? ''
  const { sam, calling } = await called(page, agent, tabIdOf)
  await expect(promptOf(page).getByRole('button', { name: 'Reject' })).toBeFocused()
  await page.keyboard.press('Enter')
  await sam.line.next('call_end')
  await expect(promptOf(page)).toHaveCount(0)
  expect(await heardPackets(page)).toBe(0)
  await calling.context().close()
})

// spec: SO-7
test('a call ends with the hidden tab', async ({ page, agent, visit }) => {
  const tabIdOf = async () => (await visit()).tabs[0]?.tabId ?? ''
  const { sam, calling } = await called(page, agent, tabIdOf)
  await promptOf(page).getByRole('button', { name: 'Answer' }).click()
  await expect(page.locator('iframe[data-openreplay-ignore]')).toBeVisible()
  await setHidden(page, true)
  await sam.line.next('call_end')
  await expect(page.locator('iframe[data-openreplay-ignore]')).toHaveCount(0)
  await calling.context().close()
})

// spec: SO-8
test('a microphone that fails ends the call', async ({ page, agent, visit }) => {
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException('Requested device not found', 'NotFoundError'))
  })
  const tabIdOf = async () => (await visit()).tabs[0]?.tabId ?? ''
  const { sam, calling } = await called(page, agent, tabIdOf)
  await promptOf(page).getByRole('button', { name: 'Answer' }).click()
  await sam.line.next('call_end')
  await expect(page.locator('iframe[data-openreplay-ignore]')).toHaveCount(0)
  await calling.context().close()
})

// spec: SO-7
test('a call that nobody answers ends after 30 s', async ({ page, agent, visit }) => {
  await page.clock.install()
  const tabIdOf = async () => (await visit()).tabs[0]?.tabId ?? ''
  await rememberConnections(page)
  await page.goto('/teams')
  await page.clock.runFor(2000)
  const sam = await agent()
  const calling = await callFrom(page, sam, await tabIdOf())
  await expect(promptOf(page)).toBeVisible()
  await page.clock.runFor(31_000)
  await sam.line.next('call_end')
  await expect(promptOf(page)).toHaveCount(0)
  await calling.context().close()
})
