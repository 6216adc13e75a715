import { randomUUID } from 'node:crypto'
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  type Page,
} from '@playwright/test'
import { type BuiltServer, startBuiltServer } from '#testing/builtServer.ts'
import type { DriveSample } from '#testing/drives.ts'
import { createPerson, type Person } from '#testing/people/person.ts'
import { quickStart } from '#testing/quickStart.ts'
import { goOffline, recordLoads } from './goOffline.ts'

/** The phone in the car: its page and its GPS. */
export interface Car {
  page: Page
  /**
   * Sets position and speed of the phone to a sample, at most once a second like a receiver. It uses the
   * browser's debugging protocol, since Playwright's geolocation has no speed.
   */
  drive(sample: DriveSample): Promise<void>
  /** Disconnects or restores the phone's network. */
  setOffline(offline: boolean): Promise<void>
}

export interface Fixtures {
  /** A browser of the team. */
  pit: Page
  car: Car
  /** Signs up a new user, without a browser. */
  person(firstName: string, lastName?: string): Promise<Person>
  /** Opens another browser in which this user is signed in, or nobody. */
  open(who?: Pick<Person, 'jar'>, options?: BrowserContextOptions): Promise<Page>
  /** Returns the code of the newest mail to an address. */
  codeMailedTo(email: string): Promise<string>
}

/** Starts the product and two browsers: one of the team, one in the car. */
export const test = base.extend<Fixtures, { server: BuiltServer }>({
  server: [
    // Playwright requires a destructuring pattern, empty for a fixture without dependencies.
    async ({}, provide) => {
      const server = await startBuiltServer({
        nodeOptions: quickStart,
        // Without a provider the sign-in screens have no Google button. No test of this server presses it.
        settings: {
          ANONYMOUS_ACCOUNTS: '1',
          GOOGLE_CLIENT_ID: 'pitboard',
          GOOGLE_CLIENT_SECRET: 'secret',
        },
      })
      await provide(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  pit: async ({ browser, server }, provide) => {
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: { width: 1440, height: 900 },
    })
    await provide(await pageOf(context))
    await context.close()
  },
  car: async ({ browser, server }, provide) => {
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: { width: 844, height: 390 },
      hasTouch: true,
      isMobile: true,
      permissions: ['geolocation'],
    })
    await provide(await carIn(context))
    await context.close()
  },
  person: async ({ server }, provide) => {
    const people: Person[] = []
    await provide(async (firstName, lastName = 'Tester') => {
      const email = `${firstName}-${randomUUID().slice(0, 8)}@northline.example`.toLowerCase()
      const person = await createPerson(server.url, server.mails, { firstName, lastName, email })
      people.push(person)
      return person
    })
    for (const person of people) person[Symbol.dispose]()
  },
  open: async ({ browser, server }, provide) => {
    const contexts: BrowserContext[] = []
    await provide(async (who, options) => {
      const context = await browser.newContext({ baseURL: server.url, ...options })
      contexts.push(context)
      if (who) await signIn(context, who, server.url)
      return pageOf(context)
    })
    for (const context of contexts) await context.close()
  },
  codeMailedTo: async ({ server }, provide) => {
    await provide(async email => {
      return server.mails.nextCode(email)
    })
  },
})

/** Signs a browser in with this user's cookie, without the screens. */
export async function signIn(context: BrowserContext, { jar }: Pick<Person, 'jar'>, url: string) {
  await context.addCookies(jar.cookiesFor(url))
}

/** Opens a page. With TEST_LOG_LEVEL it prints its trace of the live connection. */
async function pageOf(context: BrowserContext): Promise<Page> {
  if (process.env.TEST_LOG_LEVEL) {
    await context.addInitScript(() => localStorage.setItem('debug', 'live'))
    context.on('console', line => {
      if (/ live \d/.test(line.text())) process.stdout.write(`${line.text()}\n`)
    })
  }
  const page = await context.newPage()
  recordLoads(page)
  return page
}

async function carIn(context: BrowserContext): Promise<Car> {
  const page = await pageOf(context)
  const devtools = await context.newCDPSession(page)
  let nextFixAt = 0
  return {
    page,
    drive: async ({ latitude, longitude, speedMps }) => {
      await until(nextFixAt)
      nextFixAt = performance.now() + 1000
      await devtools.send('Emulation.setGeolocationOverride', {
        latitude,
        longitude,
        accuracy: 4,
        speed: speedMps,
      })
    },
    setOffline: offline => (offline ? goOffline(page) : context.setOffline(false)),
  }
}

/** Waits until this time of the monotonic clock. */
function until(atMs: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, Math.max(0, atMs - performance.now())))
}
