import type { Page } from '@playwright/test'

/** Takes the network away after the page has loaded its code, of which parts follow the first paint. */
export async function goOffline(page: Page) {
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
}
