import { type BrowserContextOptions, expect, type Locator, type Page } from '@playwright/test'
import { patience } from '#testing/patience.ts'
import type { Person } from '#testing/people/person.ts'
import { frameOn } from '../liveFrames.ts'

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

/** Colours of the connection state and its dot. */
export const green = 'rgb(43, 227, 111)'
export const red = 'rgb(255, 81, 71)'

/** Returns the style of the dot before the connection state, a pseudo-element. */
export async function dotOf(phone: Page): Promise<{ backgroundColor: string }> {
  return phone.getByText(/^(Online|Offline)$/).evaluate(state => {
    const { backgroundColor } = getComputedStyle(state, '::before')
    return { backgroundColor }
  })
}

/** Returns the bounding box of a visible element. */
export async function boxOf(found: Locator) {
  const box = await found.boundingBox()
  if (!box) throw new Error('The element is not visible')
  return box
}

/** Get ready, the screen between Start and the glass. Its address is that of the glass with `?checks`. */
export function readyOn(phone: Page): Locator {
  return phone.getByRole('region', { name: 'Get ready' })
}

/** Presses Drive on Get ready, which opens with Start. */
export async function pressDrive(phone: Page) {
  await readyOn(phone)
    .getByRole('button', { name: /^Drive/ })
    .click()
  await expect(readyOn(phone)).toHaveCount(0)
}

/** Taps the glass until it shows Leave and Checks: the car has to stand for 10 s. */
export async function showLeave(phone: Page): Promise<Locator> {
  const leave = phone.getByRole('button', { name: 'Leave' })
  await expect(async () => {
    await phone.getByRole('main').click({ position: { x: 195, y: 195 } })
    await expect(leave).toBeVisible({ timeout: 200 })
  }).toPass({ timeout: 20_000 * patience })
  return leave
}

/** The board on the team's message screen. */
export function boardOf(pit: Page): Locator {
  return pit.getByRole('region', { name: 'Current message' })
}

/** Opens the message screen, and waits until it has subscribed: it shows the session before. */
export async function openBoard(pit: Page, messageUrl: string) {
  const subscribed = frameOn(pit, '"of":"session"')
  await pit.goto(messageUrl)
  await subscribed
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

/** Stops the clock of the page's context, which then advances only by `page.clock.runFor`. Install the clock first. */
export async function pauseClock(page: Page) {
  // A clock can be paused only at a time in the future. On a busy machine that time may have passed when a page of the
  // context gets there. The clock of that page has stopped by then, so one of the next calls is in time for all.
  await expect(async () => {
    const pages = page.context().pages()
    const times = await Promise.all(pages.map(each => each.evaluate(() => Date.now())))
    await page.clock.pauseAt(Math.max(...times) + 1000)
  }).toPass()
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
