import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { contextOf } from '#testing/people/scene.ts'
import type { Figures } from './figures.ts'
import { inBrowser } from './inBrowser.ts'
import type { Bench } from './main.ts'
import { percentile } from './statistics.ts'

const presses = 50
/** Time without a long task until a page counts as loaded. */
const calmMs = 1_000
/** Time for the receipts of a message to be stored and shown, so that the next press does not wait for them. */
const betweenPressesMs = 250

const clicked = 'clicked'
const painted = 'painted'

export const bench: Bench = {
  question: "latency from the click on the team's page to the paint on the driver's page",
  run: () =>
    inBrowser(async ({ server: { url }, browser, scene }) => {
      const pit = await (await contextOf(browser, url, scene.ana)).newPage()
      const car = await (await contextOf(browser, url, scene.leo)).newPage()
      await car.goto(scene.drivePath)
      await pit.goto(scene.messagePath)
      await pit.getByRole('img', { name: 'Driver online' }).waitFor()
      await markClicks(pit)
      await markPaints(car)
      await Promise.all([loaded(pit), loaded(car)])
      return press(pit, car)
    }),
}

async function press(pit: Page, car: Page): Promise<Figures> {
  const earlier = (await timesOf(car, painted)).length
  for (let n = 0; n < 1 + presses; n++) {
    const before = (await timesOf(car, painted)).length
    await pit.getByRole('button', { name: n % 2 ? 'PIT' : 'GO', exact: true }).click()
    await car.waitForFunction(
      ([mark, count]) => performance.getEntriesByName(mark).length > count,
      [painted, before] as const,
    )
    await pause(betweenPressesMs)
  }
  const paintedAt = (await timesOf(car, painted)).slice(earlier)
  const took = (await timesOf(pit, clicked)).map((at, n) => (paintedAt[n] ?? Number.NaN) - at)
  // The first press is a figure of its own: the pages compile its code.
  const [firstPressMs = Number.NaN, ...measured] = took
  return {
    presses: measured.length,
    medianMs: percentile(measured, 50),
    p95Ms: percentile(measured, 95),
    fastestMs: percentile(measured, 0),
    slowestMs: percentile(measured, 100),
    firstPressMs: percentile([firstPressMs], 50),
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

/** Marks the end of the frame in which a new word was painted. */
function markPaints(page: Page) {
  return page.evaluate(mark => {
    let before: string | undefined
    new MutationObserver(() => {
      const word = document.querySelector('[role=alert]')?.textContent
      if (word === undefined || word === before) return
      before = word
      requestAnimationFrame(() => requestAnimationFrame(() => performance.mark(mark)))
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
  }, painted)
}

/** Returns the times of a page's marks, in milliseconds of the machine's clock. */
function timesOf(page: Page, mark: string): Promise<number[]> {
  return page.evaluate(
    mark =>
      performance.getEntriesByName(mark).map(({ startTime }) => performance.timeOrigin + startTime),
    mark,
  )
}
