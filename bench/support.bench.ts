import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { startBuiltServer } from '#testing/builtServer.ts'
import { chromiumOptions } from '#testing/chromium.ts'
import { contextOf, createScene, type Scene } from '#testing/people/scene.ts'
import type { Bench } from './main.ts'
import { type SlowNetwork, slowNetwork } from './slowNetwork.ts'

const watchedS = 20

export const bench: Bench = {
  question:
    'CPU time and traffic of the support tracker on a drive screen without an agent, per minute',
  async run() {
    const server = await startBuiltServer({ settings: { SUPPORT_BUILTIN: '1' } })
    const network = await slowNetwork(server.url)
    const browser = await chromium.launch(chromiumOptions)
    try {
      const scene = await createScene(server)
      // The tracker is disabled on localhost; this host name reaches the same server with it enabled.
      const named = network.url.replace(/localhost|127\.0\.0\.1/, 'bench.localhost')
      const off = await minute(browser, { url: network.url, network, scene, tracked: false })
      const on = await minute(browser, { url: named, network, scene, tracked: true })
      return {
        watchedS,
        mainThreadMsWithout: off.mainThreadMs,
        mainThreadMsWith: on.mainThreadMs,
        sentBytesWithout: off.sentBytes,
        sentBytesWith: on.sentBytes,
        lazyKBGzip: lazyKB('supportVisit'),
        lazyViewKBGzip: lazyKB('supportView'),
      }
    } finally {
      await browser.close()
      await network[Symbol.asyncDispose]()
      await server.stop()
    }
  },
}

interface Minute {
  url: string
  network: SlowNetwork
  scene: Scene
  tracked: boolean
}

/** A drive screen with a fix each second: CPU time of its main thread and bytes sent, per minute. */
async function minute(browser: Browser, { url, network, scene, tracked }: Minute) {
  const context = await contextOf(browser, url, scene.leo)
  const car = await context.newPage()
  const devtools = await context.newCDPSession(car)
  await devtools.send('Performance.enable')
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
  const started = tracked ? car.waitForResponse(/web\/tags/) : Promise.resolve()
  await car.goto(scene.drivePath)
  await car.getByText('180').waitFor()
  await started
  await car.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  const before = { ms: await taskMs(), up: network.bytes.up }
  await new Promise(resolve => setTimeout(resolve, watchedS * 1000))
  const after = { ms: await taskMs(), up: network.bytes.up }
  clearInterval(receiver)
  await context.close()
  return {
    mainThreadMs: perMinute(after.ms - before.ms),
    sentBytes: perMinute(after.up - before.up),
  }

  async function taskMs(): Promise<number> {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
}

function perMinute(inWatchedTime: number): number {
  return Math.round((inWatchedTime * 60) / watchedS)
}

/** Gzipped size of the files that a browser loads lazily for support. */
function lazyKB(name: string): number {
  const assets = join(import.meta.dirname, '../dist/web/assets')
  const files = readdirSync(assets).filter(
    file => file.startsWith(`${name}-`) && file.endsWith('.gz'),
  )
  const bytes = files.map(file => statSync(join(assets, file)).size)
  return Math.round(bytes.reduce((sum, each) => sum + each, 0) / 1000)
}
