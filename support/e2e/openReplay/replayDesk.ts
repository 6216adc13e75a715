import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import type { MediaConnection, Peer as PeerJS } from 'peerjs'
import { AssistConnection } from '#support/testing/assistConnection.ts'
import { type OpenReplay, peerIdOf } from '#support/testing/openReplay.ts'
import { createPerson, type Person } from '#testing/people/person.ts'
import { test as base } from '../../../e2e/workerFixtures.ts'
import { replaySite, site } from '../deskServers.ts'
import { recordMicrophones } from '../supportCalls.ts'

declare global {
  interface Window {
    /** The latest call of an agent's player. */
    call?: MediaConnection
    /** Whether that call was answered, and whether it was closed. */
    callState?: { answered: boolean; closed: boolean }
  }
}

/** An agent of OpenReplay, with the events that its player sends. */
export interface ReplayAgent {
  connection: AssistConnection
  /** Sends an event to the tab. */
  send(event: string, data?: unknown): void
  /** Requests control, as the player does: with the agent's name. */
  requestControl(): void
  /** Calls the tab, as the player does: it sends the agent's name, once, and then the call. */
  call(): Promise<Page>
}

interface Fixtures {
  replay: OpenReplay
  leo: Person
  context: BrowserContext
  page: Page
  /** Connects an agent of OpenReplay, and waits until the page has restarted for them. */
  agent(name?: string): Promise<ReplayAgent>
}

const peerScript = join(
  dirname(createRequire(import.meta.url).resolve('peerjs/package.json')),
  'dist/peerjs.min.js',
)

let people = 0

/** The product with an OpenReplay server in another origin as its support desk. */
export const test = base.extend<Fixtures>({
  replay: async ({ openReplayDesk }, provide) => provide(openReplayDesk.replay),
  leo: async ({ openReplayDesk: { server } }, provide) => {
    people += 1
    const details = { firstName: 'Leo', lastName: 'Garnier', email: `leo${people}@crew.example` }
    await provide(await createPerson(server.url, server.mails, details))
  },
  context: async ({ openReplayDesk: { browser }, leo }, provide) => {
    const context = await browser.newContext({
      baseURL: site,
      permissions: ['geolocation', 'screen-wake-lock'],
      geolocation: { latitude: 50.4372, longitude: 5.9714 },
    })
    await context.addCookies(leo.jar.cookiesFor(site))
    await provide(context)
    await context.close()
  },
  page: async ({ context, replay }, provide) => {
    replay.peers = true
    replay.requests.length = 0
    replay.pages.length = 0
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', error => errors.push(String(error)))
    page.on('console', message => {
      if (/content security policy|CORS/i.test(message.text())) errors.push(message.text())
    })
    await recordMicrophones(page)
    await provide(page)
    expect(errors).toEqual([])
  },
  agent: async ({ replay, page, openReplayDesk: { browser } }, provide) => {
    const agents: ReplayAgent[] = []
    const players: Page[] = []
    await provide(async (name = 'Mia Frost') => {
      await expect.poll(() => replay.requests.map(({ path }) => path)).toContain('tags')
      const connection = openConnection(replay, name)
      // The page restarts for the agent and then sends itself.
      await connection.next('messages')
      const tabId = await tabIdOf(page)
      const send = (event: string, data?: unknown) =>
        connection.send(event, { meta: { tabId }, data })
      const agent: ReplayAgent = {
        connection,
        send,
        requestControl: () => send('request_control', JSON.stringify({ id: 1, name })),
        async call() {
          send('_agent_name', name)
          const player = await callFrom(browser, peerIdOf(tabId))
          players.push(player)
          return player
        },
      }
      agents.push(agent)
      return agent
    })
    for (const { connection } of agents) connection.close()
    for (const player of players) await player.context().close()
  },
})

/** Connects an agent, also while no page is connected. */
export function openConnection({ url }: OpenReplay, name: string): AssistConnection {
  const agentInfo = JSON.stringify({ id: 1, name, peerId: name })
  return new AssistConnection(url, { cookie: '', query: { identity: 'agent', agentInfo } })
}

export const tabIdOf = (page: Page) =>
  page.evaluate(() => sessionStorage.getItem('__openreplay_tabid') ?? '')

/** Calls a tab from an agent's player, with its media and a random peer id. */
async function callFrom(browser: Browser, to: string): Promise<Page> {
  const player = await (await browser.newContext()).newPage()
  await player.goto(`${replaySite}/player`)
  await player.addScriptTag({ path: peerScript })
  await player.evaluate(async id => {
    const { Peer } = (window as unknown as { peerjs: { Peer: typeof PeerJS } }).peerjs
    const options = { host: location.hostname, port: 80, path: '/assist' }
    const peer = new Peer(crypto.randomUUID(), options)
    await new Promise(resolve => peer.once('open', resolve))
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: true })
    const state = { answered: false, closed: false }
    window.callState = state
    function call() {
      window.call = peer.call(id, stream)
      window.call.on('stream', () => {
        state.answered = true
      })
      window.call.on('close', () => {
        state.closed = true
      })
    }
    // The page may not have registered yet. A refused call may be an error, too, and is not repeated.
    peer.on('error', ({ type }) => {
      if (type === 'peer-unavailable') setTimeout(call, 250)
    })
    call()
  }, to)
  return player
}

/** Whether an agent's call was answered, and whether it was closed. */
export const callStateOf = (player: Page) => player.evaluate(() => window.callState)
