import { type BrowserContext, test as base, chromium, expect, type Page } from '@playwright/test'
import type { AgentPass, Visitor } from '#support/contract/support.ts'
import { AssistConnection } from '#support/testing/assistConnection.ts'
import { type BuiltServer, startBuiltServer } from '#testing/builtServer.ts'
import { chromiumOptions } from '#testing/chromium.ts'
import { createPerson, type Person } from '#testing/person.ts'

/** A name that is not this machine's, and whose plain HTTP the browser of these tests trusts. */
export const site = 'http://support.test'

export interface Agent {
  connection: AssistConnection
  pass: AgentPass
  person: Person
  /** Sends an event to the visitor's tab, as the add-on's protocol has it. */
  send(event: string, data?: unknown): void
}

export interface Desk {
  /** Somebody who uses the app, signed in. */
  leo: Person
  /** Leo's browser. */
  context: BrowserContext
  page: Page
  /** Until the add-on in Leo's page has begun: it says that it is there a little earlier. */
  begun(): Promise<void>
  /** The visit of Leo's page, once it is at the desk. */
  visit(): Promise<Visitor>
  /** Somebody who is an agent, without a connection. */
  agentPerson(firstName: string): Promise<Person>
  /** An agent who is with that visit, once its page is ready for them. */
  agent(firstName?: string): Promise<Agent>
}

export interface Worker {
  desk: BuiltServer
}

const agents = ['sam', 'mia']
const addressOf = (firstName: string) => `${firstName}@support.example`
let people = 0

/**
 * The product with its own support desk, and a browser in which it has a name: microphones are made up, and
 * what they ask for is granted. The agents of these tests talk the protocol; they have no page.
 */
export const test = base.extend<Desk, Worker>({
  desk: [
    async ({}, provide) => {
      const admins = agents.map(addressOf).join(',')
      const settings = { SUPPORT_BUILTIN: '1', SUPPORT_ADMINS: admins }
      const server = await startBuiltServer({ settings })
      await provide(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  browser: [
    async ({ desk }, provide) => {
      const browser = await chromium.launch({
        ...chromiumOptions,
        args: [
          ...(chromiumOptions.args ?? []),
          `--host-resolver-rules=MAP support.test:80 127.0.0.1:${new URL(desk.url).port}`,
          `--unsafely-treat-insecure-origin-as-secure=${site}`,
          '--use-fake-device-for-media-stream',
          '--use-fake-ui-for-media-stream',
          '--autoplay-policy=no-user-gesture-required',
        ],
      })
      await provide(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
  leo: async ({ desk }, provide) => {
    people += 1
    const email = `leo${people}@northline.example`
    const details = { firstName: 'Leo', lastName: 'Garnier', email }
    await provide(await createPerson(desk.url, desk.mails, details))
  },
  context: async ({ browser, leo }, provide) => {
    const context = await browser.newContext({
      baseURL: site,
      permissions: ['geolocation', 'screen-wake-lock'],
      geolocation: { latitude: 50.4372, longitude: 5.9714 },
    })
    await context.addCookies(leo.jar.cookiesFor(site))
    await provide(context)
    await context.close()
  },
  page: async ({ context }, provide) => {
    const page = await context.newPage()
    const broken: string[] = []
    page.on('pageerror', error => broken.push(String(error)))
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', event => {
        throw new Error(`The content security policy was broken: ${event.violatedDirective}`)
      })
    })
    await provide(page)
    expect(broken).toEqual([])
  },
  begun: async ({ page }, provide) => {
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
      }).toPass({ timeout: 15_000 })
      return found as Visitor
    })
  },
  agent: async ({ desk, agentPerson, visit, page, begun }, provide) => {
    const connections: AssistConnection[] = []
    await provide(async (firstName = 'sam') => {
      const person = await agentPerson(firstName)
      const { visitId, tabs } = await visit()
      const pass = await person.call.support.join({ visitId })
      await begun()
      const connection = new AssistConnection(desk.url, {
        cookie: person.jar.header,
        query: { identity: 'agent', peerId: pass.room },
        token: pass.token,
      })
      connections.push(connection)
      const [, admitted] = await Promise.all([waitForAddonRestart(page), connection.opened()])
      if (!admitted) throw new Error('The agent was refused')
      const meta = { tabId: tabs[0]?.tabId }
      const send = (event: string, data?: unknown) => connection.send(event, { meta, data })
      return { connection, pass, person, send }
    })
    for (const connection of connections) connection.close()
  },
})

const known = new Map<string, Promise<Person>>()

/** Agents sign in once for all tests: each mail is one. */
function signedInAgent(desk: BuiltServer, firstName: string): Promise<Person> {
  const key = `${desk.url} ${firstName}`
  const details = { firstName, lastName: 'Support', email: addressOf(firstName) }
  const person = known.get(key) ?? createPerson(desk.url, desk.mails, details)
  known.set(key, person)
  return person
}

/**
 * Looks at what a page asks for, and answers how to wait until the add-on in it has begun: its start is the
 * first, its tags are the last.
 */
export function watchAddonStart(page: Page): () => Promise<void> {
  let begun = false
  page.on('request', request => {
    if (/web\/start/.test(request.url())) begun = false
  })
  page.on('requestfinished', request => {
    if (/web\/tags/.test(request.url())) begun = true
  })
  return async () => {
    await expect.poll(() => begun).toBe(true)
    await nextTask(page)
  }
}

/** Until the add-on in a page has begun anew, as it does for each agent who comes, but not while it begins. */
export async function waitForAddonRestart(page: Page) {
  await page.waitForEvent('requestfinished', request => /web\/tags/.test(request.url()))
  await nextTask(page)
}

/** What came to a page is then done. */
function nextTask(page: Page) {
  return page.evaluate(() => new Promise<void>(resolve => setTimeout(resolve)))
}

/** Hides the page, or shows it again, as when another tab is opened over it. */
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

/** What comes to the page over its sockets from now on. */
export function recordFrames(page: Page): string[] {
  const frames: string[] = []
  page.on('websocket', socket =>
    socket.on('framereceived', ({ payload }) => frames.push(String(payload))),
  )
  return frames
}

/** The page's connection to the desk, to be cut and kept down. */
export async function interceptConnection(page: Page) {
  let cut = () => {}
  let away = false
  await page.routeWebSocket(/ws-assist/, socket => {
    if (away) return void socket.close()
    socket.connectToServer()
    cut = () => void socket.close()
  })
  return {
    down() {
      away = true
      cut()
    },
    up() {
      away = false
    },
  }
}
