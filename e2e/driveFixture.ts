import { type BrowserContextOptions, expect, type Locator, type Page } from '@playwright/test'
import { heartbeatIntervalMs } from '#contract/liveRules.ts'
import type { MessageType } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import type { Team } from '#contract/teams.ts'
import { addMember } from '#testing/addMember.ts'
import type { BuiltServer } from '#testing/builtServer.ts'
import { createPerson, type Person } from '#testing/person.ts'
import type { TestConnection } from '#testing/testConnection.ts'
import { test as base } from './fixtures.ts'

/** One team, its people, and somebody who is not in it. They signed up before the tests began. */
interface Scene {
  team: Team
  /** At the pit wall. */
  ana: Person
  /** In the car. */
  leo: Person
  /** In the team too, but not driving. */
  kim: Person
  stranger: Person
}

/** What a phone's receiver says. Null: it has no position. */
type Gps = { latitude: number; longitude: number; accuracy?: number; speed?: number } | null

interface DriveFixtures {
  scene: Scene
  /** A session that Leo has just started. It is ended after the test. */
  session: Session
  driveUrl: string
  messageUrl: string
  /** A phone in the car, on the drive screen. */
  phone: Page
  /** What the phone's receiver says from now on. */
  gps(reading: Gps): Promise<void>
  /** Ana presses a plate, somewhere else. */
  send(type: MessageType | null): Promise<void>
  /** A connection that hears the session's room, as another member of the team would. */
  subscriber: TestConnection
}

/** A phone held upright; `turned` is the same phone in a landscape cradle. */
export const upright = { width: 390, height: 844 }
export const turned = { width: 844, height: 390 }

export const phoneOptions = {
  viewport: upright,
  hasTouch: true,
  isMobile: true,
  permissions: ['geolocation'],
} satisfies BrowserContextOptions

/** Nobody starts more than 60 sessions an hour: then others take over. */
const testsPerScene = 50

async function newScene({ url, mails }: BuiltServer, n: number): Promise<Scene> {
  const person = (firstName: string, lastName: string) => {
    const email = `${firstName}${n}@drive.example`.toLowerCase()
    return createPerson(url, mails, { firstName, lastName, email })
  }
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const kim = await person('Kim', 'Okafor')
  const stranger = await person('Sven', 'Fremd')
  const team = await ana.call.teams.create({ name: 'Night Owls' })
  for (const each of [leo, kim]) await addMember(ana, team.id, each)
  return { team, ana, leo, kim, stranger }
}

/** A session that is on: the people are signed in by their cookies, without a form. */
export const test = base.extend<DriveFixtures, { nextScene: () => Promise<Scene> }>({
  nextScene: [
    async ({ server }, provide) => {
      const scenes: Scene[] = []
      let tests = 0
      await provide(async () => {
        if (tests % testsPerScene === 0) scenes.push(await newScene(server, scenes.length))
        tests += 1
        return scenes.at(-1)!
      })
      for (const { ana, leo, kim, stranger } of scenes) {
        for (const each of [ana, leo, kim, stranger]) each[Symbol.dispose]()
      }
    },
    { scope: 'worker' },
  ],
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
    const devtools = await phone.context().newCDPSession(phone)
    let ticking: ReturnType<typeof setInterval> | undefined
    const stop = () => clearInterval(ticking)
    phone.once('close', stop)
    await provide(async reading => {
      stop()
      let heading = 0
      // A reading that is like the one before would not be told: the car's nose wavers.
      const say = () =>
        devtools.send(
          'Emulation.setGeolocationOverride',
          reading ? { accuracy: 4, heading: heading++, ...reading } : {},
        )
      await say()
      // A receiver goes on, also where the car stands still. The page may close in between.
      ticking = setInterval(() => void say().catch(stop), 1000)
    })
    stop()
  },
  send: async ({ scene, session }, provide) =>
    provide(async type => {
      const commandId = crypto.randomUUID()
      await scene.ana.call.messages.set({ sessionId: session.id, type, commandId })
    }),
  subscriber: async ({ scene, session }, provide) => {
    const connection = await scene.kim.connect()
    connection.send({ t: 'watch', room: `session:${session.id}` })
    await connection.next('snapshot')
    const beating = setInterval(() => connection.send({ t: 'beat', at: 0 }), heartbeatIntervalMs)
    await provide(connection)
    clearInterval(beating)
    connection.close()
  },
})

/** The board on the team's message screen. */
export function boardOf(pit: Page): Locator {
  return pit.getByRole('region', { name: 'Current message' })
}

/** Lets `media-button` events of this page's window be presses of a headset's button. Before it opens. */
export async function mockHeadset(phone: Page) {
  await phone.addInitScript(() => {
    const set = MediaSession.prototype.setActionHandler
    MediaSession.prototype.setActionHandler = function (this: MediaSession, action, handler) {
      if (action === 'pause' && handler) {
        addEventListener('media-button', () => handler({ action }))
      }
      set.call(this, action, handler)
    }
  })
}

/** Waits until what is on this screen was painted: before, nothing is acknowledged. */
export async function waitForPaint(phone: Page) {
  await phone.evaluate(
    () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
}

/** The word on a drive screen. */
export function wordOn(phone: Page): Locator {
  return phone.getByRole('alert').locator('p')
}

/** The word's own colour, whichever half of the flash it is in. */
export function outlineOf(word: Locator): Promise<string> {
  return word.evaluate(element => getComputedStyle(element).webkitTextStrokeColor)
}

/** Solid or hollow, as the word is now. */
export function fillOf(word: Locator): Promise<'solid' | 'hollow'> {
  return word.evaluate(element =>
    getComputedStyle(element).color === 'rgba(0, 0, 0, 0)' ? 'hollow' : 'solid',
  )
}

/** The driver's page goes behind another app, or comes back: a headless browser cannot hide one itself. */
export async function setHidden(page: Page, hidden: boolean) {
  await page.evaluate(
    state => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    hidden ? 'hidden' : 'visible',
  )
}

/** From here on the page's time stands still, but for what `page.clock.runFor` lets pass. Install its clock first. */
export async function pauseClock(page: Page) {
  // A clock is only stopped at a time to come.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
}

/**
 * Watches for the first thing that fits and that the page says from now on, however short it stands
 * there: call the result for what the pattern's group was.
 */
export async function captureFirst(page: Page, pattern: RegExp): Promise<() => Promise<string>> {
  await page.evaluate(source => {
    const { documentElement: root, body } = document
    new MutationObserver((_, observer) => {
      const found = new RegExp(source).exec(body.textContent)?.[1]
      if (found === undefined) return
      root.dataset.first = found
      observer.disconnect()
    }).observe(body, {
      subtree: true,
      childList: true,
      characterData: true,
    })
  }, pattern.source)
  return async () => {
    const root = page.locator('html')
    await expect(root).toHaveAttribute('data-first', /./, { timeout: 20_000 })
    return (await root.getAttribute('data-first')) ?? ''
  }
}
