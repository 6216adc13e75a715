import { type Browser, chromium, type Page } from '@playwright/test'
import { type BuiltServer, startBuiltServer } from '#testing/builtServer.ts'
import { chromiumOptions } from '#testing/chromium.ts'
import { contextOf, createScene } from '#testing/people/scene.ts'
import type { Figures } from './figures.ts'
import type { Bench } from './main.ts'
import { slowNetwork } from './slowNetwork.ts'
import { percentile } from './statistics.ts'

const cuts = [
  { seconds: 1, times: 3 },
  { seconds: 10, times: 2 },
  { seconds: 60, times: 1 },
]

export const bench: Bench = {
  question: 'how soon both screens are up to date after 1, 10 and 60 s without a network',
  async run() {
    const server = await startBuiltServer()
    const browser = await chromium.launch(chromiumOptions)
    try {
      // In parallel: they are idle nearly all of the time.
      const all = await Promise.all(cuts.map(cut => through(cut, server, browser)))
      const figures: Figures = {}
      for (const each of all) Object.assign(figures, each)
      return figures
    } finally {
      await browser.close()
      await server.stop()
    }
  },
}

/** Runs the same tunnel several times, with a driver and team of its own. */
async function through(
  { seconds, times }: (typeof cuts)[number],
  server: BuiltServer,
  browser: Browser,
) {
  const network = await slowNetwork(server.url)
  try {
    const scene = await createScene(server, `tunnel${seconds}.example`)
    const pit = await (await contextOf(browser, server.url, scene.ana)).newPage()
    const car = await (await contextOf(browser, network.url, scene.leo)).newPage()
    await car.goto(scene.drivePath)
    await pit.goto(scene.messagePath)
    const tookMs: number[] = []
    for (let n = 0; n < times; n++) {
      tookMs.push(await recover(pit, car, network, seconds, n % 2 ? 'PIT' : 'GO'))
    }
    for (const page of [pit, car]) await page.context().close()
    return {
      [`after${seconds}sMedianMs`]: percentile(tookMs, 50),
      [`after${seconds}sSlowestMs`]: percentile(tookMs, 100),
    } satisfies Figures
  } finally {
    await network[Symbol.asyncDispose]()
  }
}

/** Time from the end of the tunnel until a message sent in it is confirmed on the driver's screen. */
async function recover(
  pit: Page,
  car: Page,
  network: { cut(): void; restore(): void },
  seconds: number,
  plate: string,
) {
  await pit.getByRole('img', { name: 'Driver online' }).waitFor()
  network.cut()
  await pit.getByRole('button', { name: plate, exact: true }).click()
  await new Promise(resolve => setTimeout(resolve, seconds * 1000))
  const restoredAt = performance.now()
  network.restore()
  await car.getByRole('alert').getByText(plate, { exact: false }).waitFor()
  await pit.getByText("On driver's screen").first().waitFor()
  await pit.getByRole('img', { name: 'Driver online' }).waitFor()
  return performance.now() - restoredAt
}
