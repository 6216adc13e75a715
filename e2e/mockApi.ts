import type { Page, Request, Route } from '@playwright/test'
import type { EndpointName } from '#contract/api.ts'
import { Refusal, type RefusalCode } from '#contract/refusal.ts'

/** Holds back the requests of a call until the returned function is called. */
export async function hold(page: Page, name: EndpointName): Promise<() => Promise<void>> {
  const held: Route[] = []
  let open = false
  await page.route(addressOf(name), route => (open ? route.fallback() : void held.push(route)))
  return async () => {
    open = true
    for (const route of held) await route.fallback()
  }
}

/** Refuses a call, or aborts its requests, until the returned function is called. */
export async function refuse(
  page: Page,
  name: EndpointName,
  code: RefusalCode | 'unreachable',
): Promise<() => void> {
  let restored = false
  await page.route(addressOf(name), route => {
    if (restored) return route.fallback()
    if (code === 'unreachable') return route.abort()
    const { status, body } = new Refusal(code)
    return route.fulfill({ status, json: body })
  })
  return () => {
    restored = true
  }
}

/** Responds to a call with this JSON. */
export async function respondWith(page: Page, name: EndpointName, json: unknown) {
  await page.route(addressOf(name), route => route.fulfill({ json }))
}

/** Opens the live connection without sending anything, so that the page shows only API responses. */
export async function stubLiveConnection(page: Page) {
  await page.routeWebSocket(/\/live$/, () => undefined)
}

/** Records the requests of this call from now on. */
export function recordCalls(page: Page, name: EndpointName): Request[] {
  const calls: Request[] = []
  page.on('request', request => {
    if (new URL(request.url()).pathname === `/api/${name}`) calls.push(request)
  })
  return calls
}

function addressOf(name: EndpointName): RegExp {
  return new RegExp(`/api/${name.replace('.', '\\.')}(\\?|$)`)
}
