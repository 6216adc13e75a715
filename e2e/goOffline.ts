import { expect, type Page } from '@playwright/test'

/** Takes the network away after the page has loaded its code. */
export async function goOffline(page: Page) {
  await waitForCode(page)
  await page.context().setOffline(true)
}

/** Waits until a signed-in user's page has loaded its code, of which parts follow the first paint. */
export async function waitForCode(page: Page) {
  const parts = ['SignedInNotices']
  if (page.url().endsWith('/drive')) parts.push('DriveDetails')
  await expect
    .poll(async () => {
      const loaded = await loadedFiles(page)
      const missing = parts.filter(part => !loaded.some(url => url.includes(`/assets/${part}-`)))
      const requested = await requestedFiles(page)
      return [...missing, ...requested.filter(url => !loaded.includes(url))]
    })
    .toEqual([])
}

/** Returns the URLs of the built files that the current document has requested. */
async function requestedFiles(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.enable')
  const { frameTree } = await devtools.send('Page.getResourceTree')
  await devtools.detach()
  return frameTree.resources.map(({ url }) => url).filter(url => url.includes('/assets/'))
}

/** Returns the URLs of the files that the current document has loaded. It works with Playwright's clock too. */
function loadedFiles(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>(resolve => {
        new PerformanceObserver((list, observer) => {
          observer.disconnect()
          resolve(list.getEntries().map(({ name }) => name))
        }).observe({ type: 'resource', buffered: true })
      }),
  )
}
