import type { Page, Request } from '@playwright/test'
import type { EndpointName } from '#contract/api.ts'
import { Refusal, type RefusalCode } from '#contract/refusal.ts'
import { type CallRoute, routeCall } from './callRoutes.ts'
import { changeFrames } from './liveFrames.ts'

/** Holds back the requests of a call until the returned function is called. */
export async function hold(page: Page, name: EndpointName): Promise<() => Promise<void>> {
  const held: CallRoute[] = []
  let open = false
  await routeCall(page, name, route => (open ? route.fallback() : void held.push(route)))
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
  await routeCall(page, name, route => {
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
  await routeCall(page, name, route => route.fulfill({ json }))
}

/** Changes the server's response to a call. */
export async function changeResponse<T>(
  page: Page,
  name: EndpointName,
  change: (json: T) => unknown,
) {
  await routeCall(page, name, async route => {
    const response = await route.fetch()
    const json = await response.json()
    await route.fulfill({ status: response.status(), json: response.ok() ? change(json) : json })
  })
}

/** Drops all frames of the live connection from now on, so that the page shows only API responses. */
export async function stubLiveConnection(page: Page) {
  await changeFrames(page, () => null, null)
}

/** Records the requests of this call from now on. */
export function recordCalls(page: Page, name: EndpointName): Request[] {
  const calls: Request[] = []
  page.on('request', request => {
    if (new URL(request.url()).pathname === `/api/${name}`) calls.push(request)
  })
  return calls
}
