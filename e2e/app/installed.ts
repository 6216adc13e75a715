import { type BrowserContext, expect, type Page } from '@playwright/test'
import { patience } from '#testing/patience.ts'
import type { Person } from '#testing/people/person.ts'
import { contextOf } from '#testing/people/scene.ts'
import { advanceUntil, pauseClock, waitForPaint } from '../drive/driveScreen.ts'
import { test as base } from '../workerFixtures.ts'

interface Fixtures {
  /** Opens a browser in which this user is signed in; it is closed after the test. */
  browserOf(person: Person): Promise<BrowserContext>
}

export const test = base.extend<Fixtures>({
  browserOf: async ({ browser, deployment }, provide) => {
    const contexts: BrowserContext[] = []
    await provide(async person => {
      const context = await contextOf(browser, deployment.url, person)
      contexts.push(context)
      return context
    })
    for (const context of contexts) await context.close()
  },
})

/** For `test.use`: the app installs its service worker, which other tests block because it takes time. */
export const withServiceWorker = { serviceWorkers: 'allow' } as const

/** Opens a page and waits until a service worker controls it. */
export async function openInstalled(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage()
  await page.clock.install()
  await page.addInitScript(countChecks)
  await page.goto(path)
  await waitForController(page)
  return page
}

export async function waitForController(page: Page) {
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state))
    .toBe('activated')
}

/** Returns the version of the page's build. */
export function versionOf(page: Page) {
  return page.locator('meta[name=app-version]').getAttribute('content')
}

/** Runs in the page: counts the requests of its checks for an update that are in flight. */
function countChecks() {
  const count = <T>(request: Promise<T>): Promise<T> => {
    const { dataset } = document.documentElement
    const add = (one: number) => {
      dataset.checking = String(Number(dataset.checking ?? 0) + one)
    }
    add(1)
    return request.finally(() => add(-1))
  }
  const { update } = ServiceWorkerRegistration.prototype
  ServiceWorkerRegistration.prototype.update = function () {
    return count(update.call(this))
  }
  const load = window.fetch
  window.fetch = (input, init) => {
    const response = load(input, init)
    return input === '/version.json' ? count(response) : response
  }
}

/** Waits until the page's last check for an update has ended: until then it starts no other one. */
export async function waitForCheckEnd(page: Page) {
  await expect(page.locator('html')).toHaveAttribute('data-checking', '0')
  await waitForPaint(page)
}

/** Advances the clock by the 30 s after which an open app checks for an update. */
export async function passUpdateInterval(page: Page) {
  await page.clock.fastForward(30_000)
}

/** Clears the HTTP cache, so that files come from the service worker or the server. */
export async function forgetBrowserCache(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.clearBrowserCache')
}

/** Runs in the page. */
export async function isRegistered(): Promise<boolean> {
  return (await navigator.serviceWorker.getRegistration()) !== undefined
}

/**
 * Poll options for the activation of a new service worker. It is usually immediate. If a page loads a file
 * from the old worker while it stops, Chromium starts it again until it was idle for 30 s, or for five minutes: it does
 * not stop an idle worker while Playwright is attached to it.
 */
export const activation = {
  timeout: Math.max(40_000 * patience, 330_000),
  intervals: [250, 1000],
}

/** Runs in the page. */
export async function newestWorkerIsActive(): Promise<boolean> {
  const { active, waiting, installing } = (await navigator.serviceWorker.getRegistration()) ?? {}
  return active?.state === 'activated' && !waiting && !installing
}

/**
 * Advances the clock until the page has updated. A check already in flight may miss the new version, and one during which
 * the clock advances again takes too long by that clock.
 */
export async function waitForUpdate(page: Page, version: string) {
  await expect
    .poll(async () => {
      const running = await versionOf(page)
      if (running === version) return running
      await passUpdateInterval(page)
      const checking = page.locator('html[data-checking]:not([data-checking="0"])')
      await expect(checking).toHaveCount(0, activation)
      return running
    }, activation)
    .toBe(version)
}

/** The toast of an update. */
export const updatedText = 'App updated and reloading'

/** Expects the toast of an update. Pauses the clock, because the toast is shown for only a second. */
export async function expectUpdateToast(page: Page, act: () => Promise<void>) {
  await pauseClock(page)
  await act()
  await advanceUntil(page, () => expectShown(page, updatedText))
  await page.clock.resume()
}

/**
 * Expects a toast of a regular check, which is shown once. Pauses the clock, because otherwise it may pass unseen. A check
 * while the server was restarting failed: the next one succeeds.
 */
export async function expectByCheck(page: Page, text: string) {
  await pauseClock(page)
  await expect(async () => {
    await passUpdateInterval(page)
    await advanceUntil(page, () => expectShown(page, text), { timeout: 5000 * patience })
  }).toPass()
  await page.clock.resume()
}

function expectShown(page: Page, text: string) {
  return expect(page.getByText(text)).toBeVisible({ timeout: 100 })
}

/** Returns the names of the page's caches. */
export function cachesOf(page: Page) {
  return page.evaluate(() => caches.keys())
}
