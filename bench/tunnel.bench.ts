import { chromium, type Page } from '@playwright/test'
import { startBuiltServer } from '#testing/builtServer.ts'
import { chromiumOptions } from '#testing/chromium.ts'
import { contextOf, setScene } from '#testing/scene.ts'
import type { Bench, Figures } from './main.ts'
import { slowNetwork } from './slowNetwork.ts'
import { percentile } from './statistics.ts'

const cuts = [
  { seconds: 1, times: 3 },
  { seconds: 10, times: 2 },
  { seconds: 60, times: 1 },
]

export const bench: Bench = {
  question: 'how soon both screens are right again after so many seconds without a network',
  async run() {
    const server = await startBuiltServer()
    const network = await slowNetwork(server.url)
    const browser = await chromium.launch(chromiumOptions)
    try {
      const scene = await setScene(server)
      const pit = await (await contextOf(browser, server.url, scene.ana)).newPage()
      const car = await (await contextOf(browser, network.url, scene.leo)).newPage()
      await car.goto(scene.drivePath)
      await pit.goto(scene.messagePath)
      const figures: Figures = {}
      for (const { seconds, times } of cuts) {
        const tookMs: number[] = []
        for (let n = 0; n < times; n++) {
          tookMs.push(await recover(pit, car, network, seconds, n % 2 ? 'PIT' : 'GO'))
        }
        figures[`after${seconds}sMedianMs`] = percentile(tookMs, 50)
        figures[`after${seconds}sSlowestMs`] = percentile(tookMs, 100)
      }
      return figures
    } finally {
      await browser.close()
      await network[Symbol.asyncDispose]()
      await server.stop()
    }
  },
}

/** From the end of the tunnel until a message that was sent in it is known to be on the screen. */
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
