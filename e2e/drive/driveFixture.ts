import { type BrowserContextOptions, expect, type Locator, type Page } from '@playwright/test'
import type { MessageType } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { heartbeatIntervalMs } from '#contract/shared/liveRules.ts'
import type { TestConnection } from '#testing/live/testConnection.ts'
import { patience } from '#testing/patience.ts'
import type { Person } from '#testing/people/person.ts'
import { test as base } from '../fixtures.ts'
import type { Scene } from '../workerFixtures.ts'

/** A reading of the phone's GPS receiver; null without a position. */
type Gps = { latitude: number; longitude: number; accuracy?: number; speed?: number } | null

interface DriveFixtures {
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

/** The screen of a phone in portrait; `landscape` is the same phone rotated. */
export const portrait = { width: 390, height: 844 }
export const landscape = { width: 844, height: 390 }

export const phoneOptions = {
  viewport: portrait,
  hasTouch: true,
  isMobile: true,
  permissions: ['geolocation'],
} satisfies BrowserContextOptions

/** A phone of the team. */
export const teamPhone = { viewport: portrait, hasTouch: true, isMobile: true }

/** Adds an active session to the fixtures. Users are signed in by cookie, without the form. */
export const test = base.extend<DriveFixtures>({
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
      // The browser does not report a reading equal to the last one, so the heading changes.
      const report = () =>
        devtools.send(
          'Emulation.setGeolocationOverride',
          reading ? { accuracy: 4, heading: heading++, ...reading } : {},
        )
      await report()
      // A receiver repeats readings even at standstill. The page may close in between.
      ticking = setInterval(() => void report().catch(stop), 1000)
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
    await connection.subscribe(`session:${session.id}`)
    const heartbeat = setInterval(
      () => connection.send({ t: 'heartbeat', at: 0 }),
      heartbeatIntervalMs,
    )
    await provide(connection)
    clearInterval(heartbeat)
    connection.close()
  },
})

/** The board on the team's message screen. */
export function boardOf(pit: Page): Locator {
  return pit.getByRole('region', { name: 'Current message' })
}

/** Opens the message screen, and waits until it has subscribed: it shows the session before. */
export async function openBoard(pit: Page, messageUrl: string) {
  const subscribed = pit
    .waitForEvent('websocket')
    .then(socket => socket.waitForEvent('framereceived', isSessionSnapshot))
  await pit.goto(messageUrl)
  await subscribed
}

function isSessionSnapshot({ payload }: { payload: string | Buffer }): boolean {
  return String(payload).includes('"of":"session"')
}

/** Makes `media-button` events of the window act as presses of a headset button. Call it before the page opens. */
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

/** Opens the drive screen with a clock that can be paused. */
export async function openWithClock(
  open: (user: Person, options: BrowserContextOptions) => Promise<Page>,
  leo: Person,
  driveUrl: string,
): Promise<Page> {
  const phone = await open(leo, phoneOptions)
  await phone.clock.install()
  await phone.goto(driveUrl)
  await expect(phone.getByText('Online')).toBeVisible()
  return phone
}

/** Waits until the screen was painted: a message cannot be acknowledged before. */
export async function waitForPaint(phone: Page) {
  await phone.evaluate(
    () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
}

/** The message on the drive screen. */
export function wordOn(phone: Page): Locator {
  return phone.getByRole('alert').locator('p')
}

/** The message's colour, in either phase of the flash. */
export function outlineOf(word: Locator): Promise<string> {
  return word.evaluate(element => getComputedStyle(element).webkitTextStrokeColor)
}

/** Whether the message is drawn solid or hollow at the moment. */
export function fillOf(word: Locator): Promise<'solid' | 'hollow'> {
  return word.evaluate(element =>
    getComputedStyle(element).color === 'rgba(0, 0, 0, 0)' ? 'hollow' : 'solid',
  )
}

/** Simulates hiding and showing the page, which a headless browser cannot do. */
export async function setHidden(page: Page, hidden: boolean) {
  await page.evaluate(
    state => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    hidden ? 'hidden' : 'visible',
  )
}

/** Stops the page's clock, which then advances only by `page.clock.runFor`. Install the clock first. */
export async function pauseClock(page: Page) {
  // The clock can be paused only at a time in the future.
  const pause = async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  // On a busy machine that time may have passed. The clock has stopped by then, so the second call is in time.
  await pause().catch(pause)
}

/**
 * Advances the paused clock in small steps until the assertion passes: libraries schedule their updates with timers.
 * Give the assertion a short timeout. On a busy machine some more steps may pass.
 */
export async function advanceUntil(
  page: Page,
  assertion: () => Promise<void>,
  options: { timeout?: number } = {},
) {
  await expect(async () => {
    await page.clock.runFor(20)
    await assertion()
  }).toPass(options)
}

/**
 * Watches for the first text that matches the pattern, however briefly it is shown. The returned function
 * resolves with the pattern's group.
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
    await expect(root).toHaveAttribute('data-first', /./, { timeout: 20_000 * patience })
    return (await root.getAttribute('data-first')) ?? ''
  }
}
