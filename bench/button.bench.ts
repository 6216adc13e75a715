import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { startBuiltServer } from '#testing/builtServer.ts'
import { chromiumOptions } from '#testing/chromium.ts'
import { contextOf, createScene } from '#testing/people/scene.ts'
import type { Figures } from './figures.ts'
import type { Bench } from './main.ts'
import { pressesOf, readServerTimes, stageFigures, tookMs } from './press/stages.ts'
import { percentile } from './statistics.ts'

const presses = 50
/** Time without a long task until a page counts as loaded. */
const calmMs = 1_000
/** Time for the receipts of a message to be stored and shown, so that the next press does not wait for them. */
const betweenPressesMs = 250

const clicked = 'clicked'
const received = 'received'
const rendered = 'rendered'
const painted = 'painted'

/** The measured build; `BENCH_BUILD` names another one as a folder, such as `../other/dist`. */
const build = process.env.BENCH_BUILD ?? 'dist'

export const bench: Bench = {
  question: "latency from the click on the team's page to the paint on the driver's page",
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'pitboard-stages-'))
    try {
      return await measure(join(folder, 'times.json'))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function measure(serverTimesFile: string): Promise<Figures> {
  const preload = pathToFileURL(join(import.meta.dirname, 'press', 'stageTimes.mjs')).href
  const server = await startBuiltServer({
    build,
    settings: { STAGE_TIMES: serverTimesFile },
    nodeOptions: [`--import=${preload}`],
  })
  const browser = await chromium.launch(chromiumOptions)
  let isStopped = false
  try {
    const scene = await createScene(server)
    const pit = await (await contextOf(browser, server.url, scene.ana)).newPage()
    const carContext = await contextOf(browser, server.url, scene.leo)
    await markReceived(carContext)
    const car = await carContext.newPage()
    await car.goto(scene.drivePath)
    await pit.goto(scene.messagePath)
    await pit.getByRole('img', { name: 'Driver online' }).waitFor()
    await markClicks(pit)
    await markPaints(car)
    await Promise.all([loaded(pit), loaded(car)])
    // The first press is a figure of its own: the pages compile its code.
    for (let n = 0; n < 1 + presses; n++) {
      const before = (await timesOf(car, painted)).length
      await pit.getByRole('button', { name: n % 2 ? 'PIT' : 'GO', exact: true }).click()
      await car.waitForFunction(
        ([mark, count]) => performance.getEntriesByName(mark).length > count,
        [painted, before] as const,
      )
      await pause(betweenPressesMs)
    }
    const inPages = {
      clicked: await timesOf(pit, clicked),
      sent: await requestTimes(pit),
      received: await timesOf(car, received),
      rendered: await timesOf(car, rendered),
      painted: await timesOf(car, painted),
    }
    await browser.close()
    await server.stop()
    isStopped = true
    const { databaseCalls, ...inServer } = await readServerTimes(serverTimesFile)
    const seen = pressesOf({ ...inPages, ...inServer })
    const first = seen.find(({ clicked }) => clicked === inPages.clicked[0])
    if (!first) throw new Error('The first press was not seen in every stage')
    const measured = seen.filter(press => press !== first)
    const took = measured.map(tookMs)
    return {
      presses: measured.length,
      medianMs: percentile(took, 50),
      p95Ms: percentile(took, 95),
      fastestMs: percentile(took, 0),
      slowestMs: percentile(took, 100),
      firstPressMs: percentile([tookMs(first)], 50),
      ...stageFigures(measured),
      databaseCalls: percentile(databaseCalls, 50),
    }
  } finally {
    if (!isStopped) {
      await browser.close()
      await server.stop()
    }
  }
}

/** Waits until the service worker has cached the app and the page's main thread is calm. */
function loaded(page: Page) {
  return page.evaluate(async calmMs => {
    await navigator.serviceWorker.ready
    await new Promise<void>(resolve => {
      // Without a named function, which tsx would wrap in a helper that the page lacks.
      let timer = setTimeout(resolve, calmMs)
      new PerformanceObserver(() => {
        clearTimeout(timer)
        timer = setTimeout(resolve, calmMs)
      }).observe({ type: 'longtask' })
    })
  }, calmMs)
}

/** Marks each click with the browser's event time. */
function markClicks(page: Page) {
  return page.evaluate(mark => {
    document.addEventListener(
      'click',
      ({ timeStamp }) => performance.mark(mark, { startTime: timeStamp }),
      true,
    )
  }, clicked)
}

/** Marks each message that arrives on a WebSocket of the context's pages, before the app handles it. */
function markReceived(context: BrowserContext) {
  return context.addInitScript(mark => {
    window.WebSocket = class extends WebSocket {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols)
        this.addEventListener('message', ({ data }) => {
          if (String(data).startsWith('{"t":"message"')) performance.mark(mark)
        })
      }
    }
  }, received)
}

/** Marks when a new word is in the document, and the end of the frame in which it was painted. */
function markPaints(page: Page) {
  return page.evaluate(
    ({ rendered, painted }) => {
      let before: string | undefined
      new MutationObserver(() => {
        const word = document.querySelector('[role=alert]')?.textContent
        if (word === undefined || word === before) return
        before = word
        performance.mark(rendered)
        requestAnimationFrame(() => requestAnimationFrame(() => performance.mark(painted)))
      }).observe(document.body, { childList: true, characterData: true, subtree: true })
    },
    { rendered, painted },
  )
}

/** Returns the times of a page's marks, in milliseconds of the machine's clock. */
function timesOf(page: Page, mark: string): Promise<number[]> {
  return page.evaluate(
    mark =>
      performance.getEntriesByName(mark).map(({ startTime }) => performance.timeOrigin + startTime),
    mark,
  )
}

/** Returns when the page started each request for a message. */
function requestTimes(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('/api/messages.set'))
      .map(({ startTime }) => performance.timeOrigin + startTime),
  )
}
