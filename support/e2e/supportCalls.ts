import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { Peer as PeerJS } from 'peerjs'
import { recordPeerConnections } from '../../e2e/packetLog.ts'
import { site } from './deskServers.ts'
import { type Agent, promptOf } from './supportDesk.ts'

declare global {
  interface Window {
    /** Number of failed calls of an agent's page. */
    failedCalls?: number
    /** Microphone tracks that the page received. */
    microphones: MediaStreamTrack[]
  }
}

/** PeerJS as a plain script, for the agent's page. */
const peerScript = join(
  createRequire(import.meta.url).resolve('peerjs/package.json'),
  '../dist/peerjs.min.js',
)

/** Opens a page of the agent that calls the visitor's tab, with a fake microphone. */
export async function callFrom(page: Page, { pass, person }: Agent, tabId: string): Promise<Page> {
  const context = await page.context().browser()?.newContext({ baseURL: site })
  if (!context) throw new Error('The page has no browser')
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
      // The tab may not be registered with the signalling server yet, or may be busy.
      peer.on('error', () => {
        window.failedCalls = (window.failedCalls ?? 0) + 1
        setTimeout(call, 500)
      })
      call()
    },
    { ...pass, tab: tabId },
  )
  return calling
}

/** Opens the visitor’s page and calls it as Sam. */
export async function callVisitor(
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

/** Returns the number of failed calls of an agent's page. */
export const failedCalls = (calling: Page) => calling.evaluate(() => window.failedCalls ?? 0)

/** Records the microphone tracks that the page receives, for `microphonesOf`. */
export const recordMicrophones = (page: Page) =>
  page.addInitScript(() => {
    window.microphones = []
    const { mediaDevices } = navigator
    const original = mediaDevices.getUserMedia.bind(mediaDevices)
    mediaDevices.getUserMedia = async wanted => {
      const stream = await original(wanted)
      window.microphones.push(...stream.getTracks())
      return stream
    }
  })

/** The states of all microphone tracks that the page has received: `live` or `ended`. */
export const microphonesOf = (page: Page) =>
  page.evaluate(() => window.microphones.map(({ readyState }) => readyState))
