import { chromium } from '@playwright/test'
import { spaFrancorchamps } from '#contract/circuits/spa-francorchamps.ts'
import { startBuiltServer } from '#testing/builtServer.ts'
import { chromiumOptions } from '#testing/chromium.ts'
import { contextOf, createScene } from '#testing/people/scene.ts'
import type { Bench } from './main.ts'
import { slowNetwork } from './slowNetwork.ts'

const watchedS = 20

export const bench: Bench = {
  question: 'traffic of an idle drive screen with a fix each second, per hour',
  async run() {
    const server = await startBuiltServer()
    const network = await slowNetwork(server.url)
    const browser = await chromium.launch(chromiumOptions)
    try {
      const scene = await createScene(server)
      const context = await contextOf(browser, network.url, scene.leo)
      const car = await context.newPage()
      const devtools = await context.newCDPSession(car)
      let n = 0
      const receiver = setInterval(() => {
        const { latitude, longitude } = spaFrancorchamps.startFinish
        void devtools.send('Emulation.setGeolocationOverride', {
          latitude: latitude + n++ / 1e6,
          longitude,
          accuracy: 4,
          speed: 50,
        })
      }, 1000)
      await car.goto(scene.drivePath)
      await car.getByText('180').waitFor()
      await car.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
      const before = { ...network.bytes }
      await new Promise(resolve => setTimeout(resolve, watchedS * 1000))
      clearInterval(receiver)
      const perHour = (bytes: number) => Math.round((bytes * 3600) / watchedS / 1000)
      return {
        watchedS,
        sentKBPerHour: perHour(network.bytes.up - before.up),
        receivedKBPerHour: perHour(network.bytes.down - before.down),
      }
    } finally {
      await browser.close()
      await network[Symbol.asyncDispose]()
      await server.stop()
    }
  },
}
