import { type CDPSession, chromium } from '@playwright/test'
import { spaFrancorchamps } from '#contract/circuits/spa-francorchamps.ts'
import { startBuiltServer } from '#testing/builtServer.ts'
import { chromiumOptions } from '#testing/chromium.ts'
import { contextOf, createScene } from '#testing/people/scene.ts'
import type { Figures } from './figures.ts'
import type { Bench } from './main.ts'
import { type SlowNetwork, slowNetwork } from './slowNetwork.ts'

const watchedS = 60
/** Time in which the screen loads its lazy code, measures the server's clock and uploads its first positions. */
const settlingS = 30

export const bench: Bench = {
  question: 'traffic and processor time of a drive screen with a fix each second',
  async run() {
    const server = await startBuiltServer()
    const network = await slowNetwork(server.url)
    const browser = await chromium.launch(chromiumOptions)
    try {
      const { ana, leo, drivePath, sessionId } = await createScene(server)
      const context = await contextOf(browser, network.url, leo)
      const car = await context.newPage()
      const devtools = await context.newCDPSession(car)
      await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
      await devtools.send('Network.enable')
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
      await car.goto(drivePath)
      await car.getByText('180').waitFor()
      await car.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
      await new Promise(resolve => setTimeout(resolve, settlingS * 1000))
      const idle = await measure(devtools, network)
      await ana.call.messages.set({ sessionId, type: 'Pit', commandId: crypto.randomUUID() })
      await car.getByRole('alert').waitFor()
      const flashing = await measure(devtools, network)
      clearInterval(receiver)
      return { watchedS, ...idle, flashingMainThreadMsPerMinute: flashing.mainThreadMsPerMinute }
    } finally {
      await browser.close()
      await network[Symbol.asyncDispose]()
      await server.stop()
    }
  },
}

/** Counts what the page sends, receives and computes. */
async function measure(devtools: CDPSession, network: SlowNetwork) {
  const counts = { framesUp: 0, framesDown: 0, requests: 0 }
  const countUp = () => void (counts.framesUp += 1)
  const countDown = () => void (counts.framesDown += 1)
  const countRequest = () => void (counts.requests += 1)
  devtools.on('Network.webSocketFrameSent', countUp)
  devtools.on('Network.webSocketFrameReceived', countDown)
  devtools.on('Network.requestWillBeSent', countRequest)
  const before = { ...network.bytes, ms: await taskMs(devtools) }
  await new Promise(resolve => setTimeout(resolve, watchedS * 1000))
  const after = { ...network.bytes, ms: await taskMs(devtools) }
  devtools.off('Network.webSocketFrameSent', countUp)
  devtools.off('Network.webSocketFrameReceived', countDown)
  devtools.off('Network.requestWillBeSent', countRequest)
  const perHour = (bytes: number) => Math.round((bytes * 3.6) / watchedS)
  const perMinute = (each: number) => Math.round((each * 60) / watchedS)
  return {
    sentKBPerHour: perHour(after.up - before.up),
    receivedKBPerHour: perHour(after.down - before.down),
    framesUpPerMinute: perMinute(counts.framesUp),
    framesDownPerMinute: perMinute(counts.framesDown),
    requestsPerMinute: perMinute(counts.requests),
    mainThreadMsPerMinute: perMinute(after.ms - before.ms),
  } satisfies Figures
}

/** Processor time of the page's main thread so far. */
async function taskMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
}
