import type { Browser } from '@playwright/test'
import type { Person } from '#testing/people/person.ts'
import { contextOf } from '#testing/people/scene.ts'
import type { Figures } from './figures.ts'
import { inBrowser } from './inBrowser.ts'
import type { Bench } from './main.ts'
import { percentile } from './statistics.ts'

/** Slow mobile networks: bytes per second, and the delay of a request in milliseconds. */
const networks = {
  slow4G: { bytesPerS: 1_600_000 / 8, delayMs: 150 },
  threeG: { bytesPerS: 750_000 / 8, delayMs: 300 },
} as const

const visits = 3

export const bench: Bench = {
  question: 'requests and bytes of a first visit, and its time on slow networks',
  run: () =>
    inBrowser(async ({ server: { url }, browser, scene }) => {
      const signIn = await firstLoad(browser, url, '/auth/sign-in', 'Sign in to your account')
      const drive = await firstLoad(browser, url, scene.drivePath, 'No GPS', scene.leo)
      const figures: Figures = { ...named('signIn', signIn), ...named('drive', drive) }
      for (const [name, network] of Object.entries(networks)) {
        const visibleMs: number[] = []
        const usableMs: number[] = []
        for (let n = 0; n < visits; n++) {
          const visit = await firstVisit(browser, url, network)
          visibleMs.push(visit.visibleMs)
          usableMs.push(visit.usableMs)
        }
        figures[`${name}VisibleMs`] = percentile(visibleMs, 50)
        figures[`${name}UsableMs`] = percentile(usableMs, 50)
      }
      return figures
    }),
}

/**
 * Opens the sign-in page with an empty cache on a slow network. Returns when the mark is painted, and when the app has
 * taken over, so that every button responds.
 */
async function firstVisit(
  browser: Browser,
  url: string,
  { bytesPerS, delayMs }: (typeof networks)[keyof typeof networks],
) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: delayMs,
    downloadThroughput: bytesPerS,
    uploadThroughput: bytesPerS,
  })
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('#root h1')) return
      observer.disconnect()
      performance.mark('usable')
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto(`${url}/auth/sign-in`, { waitUntil: 'commit' })
  await page.locator('#root').getByText('Sign in to your account').waitFor()
  // Measured in the page, because Playwright polls for an element only twice a second.
  const [visibleMs = Number.NaN, usableMs = Number.NaN] = await page.evaluate(() =>
    ['first-contentful-paint', 'usable'].map(name => {
      const time = performance.getEntriesByName(name)[0]?.startTime
      return time === undefined ? undefined : Math.round(time)
    }),
  )
  await context.close()
  return { visibleMs, usableMs }
}

interface Load {
  requests: number
  bytes: number
  scriptBytes: number
}

/** Opens a page with an empty cache, until `text` is visible and no request has finished for a second. */
async function firstLoad(
  browser: Browser,
  url: string,
  path: string,
  text: string,
  person?: Person,
): Promise<Load> {
  const context = await contextOf(browser, url, person)
  await context.setExtraHTTPHeaders({ 'accept-encoding': 'br' })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  const load: Load = { requests: 0, bytes: 0, scriptBytes: 0 }
  const scripts = new Set<string>()
  devtools.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    load.requests += 1
    load.bytes += encodedDataLength
    if (scripts.has(requestId)) load.scriptBytes += encodedDataLength
  })
  await page.goto(path, { waitUntil: 'load' })
  await page.getByText(text).first().waitFor()
  for (let before = -1; before !== load.requests; ) {
    before = load.requests
    await new Promise(resolve => setTimeout(resolve, 1000))
  }
  await context.close()
  if (load.scriptBytes === 0) throw new Error(`${path} loaded no code`)
  return load
}

function named(what: string, { requests, bytes, scriptBytes }: Load): Figures {
  return {
    [`${what}Requests`]: requests,
    [`${what}KB`]: Math.round(bytes / 100) / 10,
    [`${what}ScriptKB`]: Math.round(scriptBytes / 100) / 10,
  }
}
