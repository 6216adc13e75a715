import { chromium as browsers, type ConsoleMessage } from '@playwright/test'
import { chromiumOptions } from '#testing/chromium.ts'
import { callInPage, type Engine, resultOf } from './browser.ts'

export const chromium = {
  name: 'Chromium',
  find: async () => chromiumOptions.executablePath ?? browsers.executablePath(),
  async start(): Promise<Engine> {
    const browser = await browsers.launch(chromiumOptions)
    return {
      async newTab(viewport) {
        const context = await browser.newContext({
          viewport,
          permissions: ['geolocation', 'screen-wake-lock'],
        })
        const page = await context.newPage()
        const devtools = await context.newCDPSession(page)
        const errors: string[] = []
        page.on('console', (line: ConsoleMessage) => {
          if (line.type() === 'error') errors.push(`${line.text()} ${line.location().url}`)
        })
        page.on('pageerror', error => errors.push(String(error)))
        return {
          errors,
          open: async url => void (await page.goto(url)),
          run: async (act, ...args) => resultOf(await page.evaluate(callInPage(act, args))),
          press: (x, y) => page.mouse.click(x, y),
          type: text => page.keyboard.type(text),
          locate: async reading =>
            void (await devtools.send('Emulation.setGeolocationOverride', {
              ...reading,
              accuracy: 4,
            })),
        }
      },
      [Symbol.asyncDispose]: () => browser.close(),
    }
  },
}
