import { type BrowserContext, chromium } from '@playwright/test'
import { startBuiltServer } from '#testing/builtServer.ts'
import { chromiumOptions } from '#testing/chromium.ts'
import { contextOf, createScene } from '#testing/people/scene.ts'
import type { Bench } from './main.ts'
import { percentile } from './statistics.ts'

const openings = 6

export const bench: Bench = {
  question: 'first paint of the drive screen from the service worker, without a network',
  async run() {
    const server = await startBuiltServer()
    const browser = await chromium.launch(chromiumOptions)
    try {
      const { leo, drivePath } = await createScene(server)
      const context = await contextOf(browser, server.url, leo)
      await install(context, drivePath)
      const offlineMs: number[] = []
      const onlineMs: number[] = []
      // Alternates, so that other activity of the machine affects both.
      for (let n = 0; n < openings; n++) {
        await context.setOffline(true)
        offlineMs.push(await firstPaintMs(context, drivePath, 'Offline'))
        await context.setOffline(false)
        onlineMs.push(await firstPaintMs(context, drivePath, 'Online'))
      }
      return {
        openings,
        offlineMedianMs: percentile(offlineMs, 50),
        offlineSlowestMs: percentile(offlineMs, 100),
        onlineMedianMs: percentile(onlineMs, 50),
        onlineSlowestMs: percentile(onlineMs, 100),
      }
    } finally {
      await browser.close()
      await server.stop()
    }
  },
}

/** Opens the app once, until its service worker is active and the session is cached. */
async function install(context: BrowserContext, path: string) {
  const page = await context.newPage()
  await page.goto(path)
  await page.getByText('Online').waitFor()
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  await page.close()
}

/**
 * Opens a new page, waits until it shows that it is on- or offline, and returns the time of its first
 * paint.
 */
async function firstPaintMs(context: BrowserContext, path: string, text: 'Online' | 'Offline') {
  const page = await context.newPage()
  await page.goto(path)
  await page.getByText(text).waitFor()
  const paintedMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  )
  await page.close()
  return paintedMs ?? Number.NaN
}
