import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { startBuiltServer } from '#testing/builtServer.ts'
import { chromiumOptions } from '#testing/chromium.ts'
import { contextOf, createScene } from '#testing/people/scene.ts'
import type { Figures } from './figures.ts'
import type { Bench } from './main.ts'
import { slowNetwork } from './slowNetwork.ts'
import { percentile } from './statistics.ts'

const presses = 40
const mobile = { delayMs: 150, spreadMs: 50, loss: 0.02 }
const calm = { delayMs: 0, spreadMs: 0, loss: 0 }

export const bench: Bench = {
  question:
    "latency from the team's tap to the paint on the driver's screen, also over a bad network",
  async run() {
    const server = await startBuiltServer()
    const network = await slowNetwork(server.url)
    const browser = await chromium.launch(chromiumOptions)
    try {
      const scene = await createScene(server)
      const pit = await page(contextOf(browser, server.url, scene.ana), scene.messagePath)
      const car = await page(contextOf(browser, network.url, scene.leo), scene.drivePath)
      await pit.getByRole('img', { name: 'Driver online' }).waitFor()
      const loopback = await measure(pit, car, 0)
      network.setConditions(mobile)
      const slow = await measure(pit, car, presses)
      network.setConditions(calm)
      return {
        presses,
        ...named('loopback', loopback),
        ...named('mobile', slow),
        medianRatio: Math.round((percentile(slow, 50) / percentile(loopback, 50)) * 100) / 100,
      }
    } finally {
      await browser.close()
      await network[Symbol.asyncDispose]()
      await server.stop()
    }
  },
}

async function page(context: Promise<BrowserContext>, path: string): Promise<Page> {
  const opened = await (await context).newPage()
  await opened.goto(path)
  return opened
}

/** Reads the time from tap to paint from the app's own log, by the server's clock. */
async function measure(pit: Page, car: Page, before: number): Promise<number[]> {
  const tookMs: number[] = []
  for (let n = 0; n < presses; n++) {
    await pit.getByRole('button', { name: n % 2 ? 'PIT' : 'GO', exact: true }).click()
    await car.locator(`[data-version="${before + n + 1}"]`).waitFor()
    await pit.getByText("On driver's screen").first().waitFor()
  }
  const { sessionId } = await sessionOf(pit)
  const log = await pit.evaluate(
    async id => (await fetch(`/api/messages.log?sessionId=${id}`)).json() as Promise<Logged[]>,
    sessionId,
  )
  for (const { version, pressedAt, shownAt } of log) {
    if (version > before && shownAt !== null) tookMs.push(shownAt - pressedAt)
  }
  return tookMs
}

interface Logged {
  version: number
  pressedAt: number
  shownAt: number | null
}

async function sessionOf(pit: Page) {
  return { sessionId: new URL(pit.url()).pathname.split('/')[3] ?? '' }
}

function named(what: string, tookMs: number[]): Figures {
  return {
    [`${what}MedianMs`]: percentile(tookMs, 50),
    [`${what}P95Ms`]: percentile(tookMs, 95),
    [`${what}Shown`]: tookMs.length,
  }
}
