import type { Page } from '@playwright/test'
import { startBuiltServer } from '#testing/builtServer.ts'
import { contextOf, setScene } from '#testing/scene.ts'
import { launchChromium } from './browser.ts'
import type { Bench } from './main.ts'
import { percentile } from './statistics.ts'

const presses = 100

export const bench: Bench = {
  question: "from the click on the team's page to the painted word on the driver's page",
  async run() {
    const server = await startBuiltServer()
    const browser = await launchChromium()
    try {
      const scene = await setScene(server)
      const pit = await (await contextOf(browser, server.url, scene.ana)).newPage()
      const car = await (await contextOf(browser, server.url, scene.leo)).newPage()
      await car.goto(scene.drivePath)
      await pit.goto(scene.messagePath)
      await pit.getByRole('img', { name: 'Driver online' }).waitFor()
      const took: number[] = []
      for (let n = 0; n < presses; n++)
        took.push(await pressToPaint(pit, car, n % 2 ? 'PIT' : 'GO'))
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

async function pressToPaint(pit: Page, car: Page, plate: 'PIT' | 'GO'): Promise<number> {
  const word = plate === 'PIT' ? 'Pit' : 'Go'
  const painted = car.evaluate(
    word =>
      new Promise<number>(resolve => {
        // No named functions in here: what compiles them for Node leaves a helper that the page lacks.
        new MutationObserver((_, observer) => {
          if (document.querySelector('[role=alert]')?.textContent !== word) return
          observer.disconnect()
          requestAnimationFrame(() =>
            requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now())),
          )
        }).observe(document.body, { childList: true, characterData: true, subtree: true })
      }),
    word,
  )
  const button = pit.getByRole('button', { name: plate, exact: true })
  const clicked = button.evaluate(
    element =>
      new Promise<number>(resolve =>
        element.addEventListener(
          'click',
          event => resolve(performance.timeOrigin + event.timeStamp),
          { once: true, capture: true },
        ),
      ),
  )
  await button.click()
  return (await painted) - (await clicked)
}
