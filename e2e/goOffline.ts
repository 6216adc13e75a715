import { expect, type Page, type Request } from '@playwright/test'

interface Loads {
  readonly pending: Set<Request>
  readonly done: string[]
}

const loads = new WeakMap<Page, Loads>()

/** Records the loading of a page's code for `waitForCode`. Call it before the page opens. */
export function recordLoads(page: Page) {
  const pending = new Set<Request>()
  const done: string[] = []
  loads.set(page, { pending, done })
  // A new document, such as after a reload, loads everything again.
  page.on('request', request => {
    if (request.isNavigationRequest()) done.length = 0
  })
  page.on('request', request => {
    if (request.url().includes('/assets/')) pending.add(request)
  })
  page.on('requestfailed', request => pending.delete(request))
  page.on('requestfinished', request => {
    if (pending.delete(request)) done.push(request.url())
  })
}

/** Takes the network away after the page has loaded its code. */
export async function goOffline(page: Page) {
  await waitForCode(page)
  await page.context().setOffline(true)
}

/** Waits until a signed-in user's page has loaded its code, of which parts follow the first paint. */
export async function waitForCode(page: Page) {
  const parts = ['SignedInBackground']
  if (page.url().endsWith('/drive')) parts.push('Background')
  await expect.poll(() => parts.filter(part => !hasLoaded(page, part))).toEqual([])
}

/** Whether the page has received this chunk and everything requested with it. */
function hasLoaded(page: Page, chunk: string): boolean {
  const { pending, done } = loads.get(page) ?? { pending: new Set(), done: [] }
  return pending.size === 0 && done.some(url => url.includes(`/assets/${chunk}-`))
}
