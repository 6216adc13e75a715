import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import type { AgentPass, Visitor } from '#support/contract/support.ts'
import { AssistConnection } from '#support/testing/assistConnection.ts'
import type { BuiltServer } from '#testing/builtServer.ts'
import { patience } from '#testing/patience.ts'
import { addPasskey } from '#testing/people/addPasskey.ts'
import { createPerson, type Person } from '#testing/people/person.ts'
import { test as base } from '../../e2e/workerFixtures.ts'
import { addressOf, site } from './deskServers.ts'

export interface Agent {
  connection: AssistConnection
  pass: AgentPass
  person: Person
  /** Sends an event of the add-on's protocol to the visitor's tab. */
  send(event: string, data?: unknown): void
}

export interface DeskFixtures {
  desk: BuiltServer
  /** A browser with fake microphones and granted permissions, which finds the desk as `site`. */
  deskBrowser: Browser
  /** A signed-in user of the app. */
  leo: Person
  /** Leo's browser. */
  context: BrowserContext
  page: Page
  /** Waits until the add-on in Leo's page has started, which is a little after it has connected. */
  addonStarted(): Promise<void>
  /** Returns the visit of Leo's page as soon as the desk lists it. */
  visit(): Promise<Visitor>
  /** Signs in an agent, without a connection. */
  agentPerson(firstName: string): Promise<Person>
  /** Connects an agent to that visit, and waits until its page is ready. */
  agent(firstName?: string): Promise<Agent>
}

let people = 0

/** The product with its built-in support desk. Agents of these tests use the protocol directly; they have no page. */
export const test = base.extend<DeskFixtures>({
  desk: async ({ builtInDesk }, provide) => provide(builtInDesk.server),
  deskBrowser: async ({ builtInDesk }, provide) => provide(builtInDesk.browser),
  leo: async ({ desk }, provide) => {
    people += 1
    const email = `leo${people}@northline.example`
    const details = { firstName: 'Leo', lastName: 'Garnier', email }
    await provide(await createPerson(desk.url, desk.mails, details))
  },
  context: async ({ builtInDesk: { pages }, leo, serviceWorkers }, provide, info) => {
    const page = await pages.take({
      baseURL: site,
      serviceWorkers,
      viewport: { width: 1280, height: 720 },
      permissions: ['geolocation', 'screen-wake-lock'],
      geolocation: { latitude: 50.4372, longitude: 5.9714 },
    })
    await page.context().addCookies(leo.jar.cookiesFor(site))
    await provide(page.context())
    await pages.give(page, { reuse: info.status === info.expectedStatus })
  },
  page: async ({ context }, provide) => {
    const page = context.pages()[0] ?? (await context.newPage())
    const errors: string[] = []
    page.on('pageerror', error => errors.push(String(error)))
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', event => {
        throw new Error(`Content security policy violation: ${event.violatedDirective}`)
      })
    })
    await provide(page)
    expect(errors).toEqual([])
  },
  addonStarted: async ({ page }, provide) => {
    await provide(watchAddonStart(page))
  },
  agentPerson: async ({ desk }, provide) => {
    await provide(firstName => signedInAgent(desk, firstName))
  },
  visit: async ({ agentPerson, leo }, provide) => {
    await provide(async () => {
      const sam = await agentPerson('sam')
      let found: Visitor | undefined
      await expect(async () => {
        const all = await sam.call.support.visitors()
        found = all.find(({ person }) => person.id === leo.id)
        expect(found).toBeDefined()
      }).toPass({ timeout: 15_000 * patience })
      return found as Visitor
    })
  },
  agent: async ({ desk, agentPerson, visit, page, addonStarted }, provide) => {
    const connections: AssistConnection[] = []
    await provide(async (firstName = 'sam') => {
      const person = await agentPerson(firstName)
      const { visitId, tabs } = await visit()
      const pass = await person.call.support.join({ visitId })
      await addonStarted()
      const connection = new AssistConnection(desk.url, {
        cookie: person.jar.header,
        query: { identity: 'agent', peerId: pass.room },
        token: pass.token,
      })
      connections.push(connection)
      const [, admitted] = await Promise.all([waitForAddonRestart(page), connection.opened()])
      if (!admitted) throw new Error('The agent connection was refused')
      const meta = { tabId: tabs[0]?.tabId }
      const send = (event: string, data?: unknown) => connection.send(event, { meta, data })
      return { connection, pass, person, send }
    })
    for (const connection of connections) connection.close()
  },
})

const agentLogins = new Map<string, Promise<Person>>()

/** Signs in each agent once for all tests, because sign-in mails are rate limited. */
function signedInAgent(desk: BuiltServer, firstName: string): Promise<Person> {
  const key = `${desk.url} ${firstName}`
  const details = { firstName, lastName: 'Support', email: addressOf(firstName) }
  const person = agentLogins.get(key) ?? createAgent(desk, details)
  agentLogins.set(key, person)
  return person
}

/** Signs up an agent with a passkey, without which the desk refuses them. */
async function createAgent({ url, mails }: BuiltServer, details: Person['details']) {
  const person = await createPerson(url, mails, details)
  await addPasskey(person, url)
  return person
}

/**
 * Watches the add-on's requests, of which `start` is the first and `tags` the last. The returned function
 * waits until the add-on has started.
 */
export function watchAddonStart(page: Page): () => Promise<void> {
  let addonStarted = false
  page.on('request', request => {
    if (/web\/start/.test(request.url())) addonStarted = false
  })
  page.on('requestfinished', request => {
    if (/web\/tags/.test(request.url())) addonStarted = true
  })
  return async () => {
    await expect.poll(() => addonStarted).toBe(true)
    await nextTask(page)
  }
}

/** Waits until the add-on has restarted, as it does for each agent that joins after its first start. */
export async function waitForAddonRestart(page: Page) {
  await page.waitForEvent('requestfinished', request => /web\/tags/.test(request.url()))
  await nextTask(page)
}

/** Waits for the next task of the page: received frames are handled then. */
function nextTask(page: Page) {
  return page.evaluate(() => new Promise<void>(resolve => setTimeout(resolve)))
}

/** Hides or shows the page, as switching tabs does. */
export async function setHidden(page: Page, hidden: boolean) {
  await page.evaluate(value => {
    Object.defineProperty(document, 'hidden', { value, configurable: true })
    const state = value ? 'hidden' : 'visible'
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
}

export function promptOf(page: Page) {
  return page.getByRole('alertdialog', { name: 'Pitboard support' })
}

/** Records the frames that the page receives over its sockets from now on. */
export function recordFrames(page: Page): string[] {
  const frames: string[] = []
  page.on('websocket', socket =>
    socket.on('framereceived', ({ payload }) => frames.push(String(payload))),
  )
  return frames
}

/** Intercepts the page's connection to the desk, so that it can be closed and kept down. */
export async function interceptConnection(page: Page) {
  let close = () => {}
  let isDown = false
  await page.routeWebSocket(/ws-assist/, socket => {
    if (isDown) return void socket.close()
    socket.connectToServer()
    close = () => void socket.close()
  })
  return {
    down() {
      isDown = true
      close()
    },
    up() {
      isDown = false
    },
  }
}
