import { randomUUID } from 'node:crypto'
import {
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
} from '@playwright/test'
import type { MessageType } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import type { DriveSample } from '#testing/drives.ts'
import type { TestConnection } from '#testing/live/testConnection.ts'
import { createPerson, type Person } from '#testing/people/person.ts'
import { phoneOptions } from './drive/driveScreen.ts'
import { goOffline } from './goOffline.ts'
import { test as base, type Scene } from './workerFixtures.ts'

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

/** A reading of the phone's GPS receiver; null without a position. */
type Gps = { latitude: number; longitude: number; accuracy?: number; speed?: number } | null

export interface Fixtures {
  /** A browser of the team. */
  pit: Page
  car: Car
  /** Signs up a new user, without a browser. */
  person(firstName: string, lastName?: string): Promise<Person>
  /** Opens another browser, in which nobody is signed in. Later tests use its page again. */
  newPage(options?: BrowserContextOptions): Promise<Page>
  /** Opens another browser in which this user is signed in, or nobody. */
  open(who?: Pick<Person, 'jar'>, options?: BrowserContextOptions): Promise<Page>
  /** Returns the code of the newest mail to an address. */
  codeMailedTo(email: string): Promise<string>
  /** A team, whose people are signed in by cookie, without the form. */
  scene: Scene
  /** A session that Leo has just started; it ends after the test. */
  session: Session
  driveUrl: string
  messageUrl: string
  /** The phone in the car, with the drive screen open. */
  phone: Page
  /** Sets the reading that the phone's receiver repeats from now on. */
  gps(reading: Gps): Promise<void>
  /** Sends a message as Ana, from another device. */
  send(type: MessageType | null): Promise<void>
  /** A connection of another member, subscribed to the session's room. */
  subscriber: TestConnection
}

/** Starts the product. Each fixture is made when a test names it. */
export const test = base.extend<Fixtures>({
  newPage: async ({ pages, server, serviceWorkers }, provide, info) => {
    const lent: Page[] = []
    await provide(async options => {
      const page = await pages.take({ baseURL: server.url, serviceWorkers, ...options })
      lent.push(page)
      await trace(page)
      return page
    })
    const reuse = info.status === info.expectedStatus
    for (const page of lent) await pages.give(page, { reuse })
  },
  pit: async ({ newPage }, provide) => {
    await provide(await newPage({ viewport: { width: 1440, height: 900 } }))
  },
  car: async ({ newPage }, provide) => {
    const page = await newPage({
      viewport: { width: 844, height: 390 },
      hasTouch: true,
      isMobile: true,
      permissions: ['geolocation'],
    })
    await provide(await carIn(page))
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
  open: async ({ newPage, server }, provide) => {
    await provide(async (who, options) => {
      const page = await newPage(options)
      if (who) await signIn(page.context(), who, server.url)
      return page
    })
  },
  codeMailedTo: async ({ server }, provide) => {
    await provide(async email => {
      return server.mails.nextCode(email)
    })
  },
  scene: async ({ nextScene }, provide) => provide(await nextScene()),
  session: async ({ scene }, provide) => {
    const { leo, team } = scene
    const session = await leo.call.sessions.start({ teamId: team.id, name: 'Friday practice 1' })
    await provide(session)
    await leo.call.sessions.end({ sessionId: session.id })
  },
  driveUrl: async ({ session }, provide) => provide(`/teams/${session.teamId}/${session.id}/drive`),
  messageUrl: async ({ session }, provide) =>
    provide(`/teams/${session.teamId}/${session.id}/message`),
  phone: async ({ scene, open, driveUrl }, provide) => {
    const phone = await open(scene.leo, phoneOptions)
    await phone.goto(driveUrl)
    await expect(phone.getByText('Online')).toBeVisible()
    await provide(phone)
  },
  gps: async ({ phone }, provide) => {
    await provide(await receiverOf(phone))
  },
  send: async ({ scene, session }, provide) =>
    provide(async type => {
      const commandId = crypto.randomUUID()
      await scene.ana.call.messages.set({ sessionId: session.id, type, commandId })
    }),
  subscriber: async ({ scene, session }, provide) => {
    const connection = (await scene.kim.connect()).keepAlive()
    await connection.subscribe(`session:${session.id}`)
    await provide(connection)
    connection.close()
  },
})

/** Returns a function that gives a page positions: the same one each second, as a receiver does at standstill. */
export async function receiverOf(phone: Page): Promise<(reading: Gps) => Promise<void>> {
  const devtools = await phone.context().newCDPSession(phone)
  let ticking: ReturnType<typeof setInterval> | undefined
  const stop = () => clearInterval(ticking)
  phone.once('close', stop)
  return async reading => {
    stop()
    let heading = 0
    // The browser does not report a reading equal to the last one, so the heading changes.
    const report = () =>
      devtools.send(
        'Emulation.setGeolocationOverride',
        reading ? { accuracy: 4, heading: heading++, ...reading } : {},
      )
    await report()
    // The page may close in between.
    ticking = setInterval(() => void report().catch(stop), 1000)
  }
}

/** Signs a browser in with this user's cookie, without the screens. */
export async function signIn(context: BrowserContext, { jar }: Pick<Person, 'jar'>, url: string) {
  await context.addCookies(jar.cookiesFor(url))
}

/** With TEST_LOG_LEVEL the page prints its trace of the live connection. */
async function trace(page: Page) {
  if (!process.env.TEST_LOG_LEVEL) return
  await page.addInitScript(() => localStorage.setItem('debug', 'live'))
  page.on('console', line => {
    if (/ live \d/.test(line.text())) process.stdout.write(`${line.text()}\n`)
  })
}

async function carIn(page: Page): Promise<Car> {
  const context = page.context()
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
