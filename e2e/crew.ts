import { type BrowserContext, test as base, type Page } from '@playwright/test'
import type { DriveSample } from '#testing/drives.ts'
import { type BuiltServer, startBuiltServer } from './server.ts'

/** The phone in the car: its page, and what its GPS says. */
export interface Car {
  page: Page
  /**
   * Puts the phone where a sample says, at its speed. Playwright's own geolocation knows no speed, so it
   * goes through the browser's debugging protocol, which does.
   */
  drive(sample: DriveSample): Promise<void>
  /** Cuts or restores the phone's network. */
  setOffline(offline: boolean): Promise<void>
}

interface Crew {
  /** A browser at the pit wall. */
  pit: Page
  car: Car
  /** The code of the newest mail to an address. */
  codeMailedTo(email: string): Promise<string>
}

/** Two browsers and the product: one at the pit wall, one in the car. */
export const test = base.extend<Crew, { server: BuiltServer }>({
  server: [
    // biome-ignore format: Playwright reads the names of the fixtures from this pattern.
    async ({}, use) => {
      const server = await startBuiltServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  pit: async ({ browser, baseURL }, use) => {
    const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 900 } })
    await use(await context.newPage())
    await context.close()
  },
  car: async ({ browser, baseURL }, use) => {
    const context = await browser.newContext({
      baseURL,
      viewport: { width: 844, height: 390 },
      hasTouch: true,
      isMobile: true,
      permissions: ['geolocation'],
    })
    await use(await carIn(context))
    await context.close()
  },
  codeMailedTo: async ({ server }, use) => {
    await use(async email => {
      const { text } = await server.mails.next(email)
      return /\b\d{6}\b/.exec(text)?.[0] ?? ''
    })
  },
})

async function carIn(context: BrowserContext): Promise<Car> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  return {
    page,
    drive: async ({ latitude, longitude, speedMps }) => {
      await devtools.send('Emulation.setGeolocationOverride', {
        latitude,
        longitude,
        accuracy: 4,
        speed: speedMps,
      })
    },
    setOffline: offline => context.setOffline(offline),
  }
}
