import { chromium, type Page } from '@playwright/test'
import { startBuiltServer } from '#testing/builtServer.ts'
import { chromiumOptions } from '#testing/chromium.ts'
import { contextOf, createScene } from '#testing/people/scene.ts'
import type { Bench } from './main.ts'
import { percentile } from './statistics.ts'

const presses = 50

const clicked = 'clicked'
const painted = 'painted'

export const bench: Bench = {
  question: "latency from the click on the team's page to the paint on the driver's page",
  async run() {
    const server = await startBuiltServer()
    const browser = await chromium.launch(chromiumOptions)
    try {
      const scene = await createScene(server)
      const pit = await (await contextOf(browser, server.url, scene.ana)).newPage()
      const car = await (await contextOf(browser, server.url, scene.leo)).newPage()
      await car.goto(scene.drivePath)
      await pit.goto(scene.messagePath)
      await pit.getByRole('img', { name: 'Driver online' }).waitFor()
      await markClicks(pit)
      await markPaints(car)
      for (let n = 0; n < presses; n++) {
        await pit.getByRole('button', { name: n % 2 ? 'PIT' : 'GO', exact: true }).click()
        await car.waitForFunction(
          ([mark, count]) => performance.getEntriesByName(mark).length > count,
          [painted, n] as const,
        )
      }
      const clicks = await timesOf(pit, clicked)
      const paints = await timesOf(car, painted)
      const took = paints.map((paintedAt, n) => paintedAt - (clicks[n] ?? Number.NaN))
      return {
        presses,
        medianMs: percentile(took, 50),
        p95Ms: percentile(took, 95),
        fastestMs: percentile(took, 0),
        slowestMs: percentile(took, 100),
      }
    } finally {
      await browser.close()
      await server.stop()
    }
  },
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
