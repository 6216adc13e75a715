import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { Peer as PeerJS } from 'peerjs'
import { recordPeerConnections } from './packetLog.ts'
import { type Agent, promptOf, site } from './supportDesk.ts'

declare global {
  interface Window {
    /** Calls of an agent's page that did not get through. */
    refusals?: number
  }
}

/** PeerJS as a plain script, in the page that stands for an agent's. */
const peerScript = join(
  createRequire(import.meta.url).resolve('peerjs/package.json'),
  '../dist/peerjs.min.js',
)

/** A page of the agent's that calls the visitor's tab, with the made-up microphone. */
export async function callFrom(page: Page, { pass, person }: Agent, tabId: string): Promise<Page> {
  const context = await page.context().browser()?.newContext({ baseURL: site })
  if (!context) throw new Error('There is no browser.')
  await context.addCookies(person.jar.cookiesFor(site))
  const calling = await context.newPage()
  await recordPeerConnections(calling)
  await calling.addInitScript({ path: peerScript })
  await calling.goto('/support/call.html')
  await calling.evaluate(
    async ({ room, peerId, tab }) => {
      const { Peer } = (window as unknown as { peerjs: { Peer: typeof PeerJS } }).peerjs
      const peer = new Peer(peerId, {
        host: location.hostname,
        port: 80,
        path: '/assist',
        config: { iceServers: [] },
      })
      await new Promise(resolve => peer.once('open', resolve))
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: true })
      const call = () => peer.call(`${room}-${tab}`, stream)
      // The tab may not be at the signalling yet, or be busy.
      peer.on('error', () => {
        window.refusals = (window.refusals ?? 0) + 1
        setTimeout(call, 500)
      })
      call()
    },
    { ...pass, tab: tabId },
  )
  return calling
}

/** The visitor’s page, rung up by Sam. */
export async function called(
  page: Page,
  agent: (name?: string) => Promise<Agent>,
  tabIdOf: TabIdOf,
) {
  await recordPeerConnections(page)
  await page.goto('/teams')
  const sam = await agent()
  const calling = await callFrom(page, sam, await tabIdOf())
  await expect(promptOf(page)).toContainText('Pitboard support is calling you')
  return { sam, calling }
}
type TabIdOf = () => Promise<string>

/** The add-on's window on the visitor's page. */
export const callWindow = (page: Page) => page.frameLocator('iframe[data-openreplay-ignore]')

/** How often the calls of an agent's page did not get through. */
export const refusals = (calling: Page) => calling.evaluate(() => window.refusals ?? 0)
