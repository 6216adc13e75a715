import type { Page, Request, Route } from '@playwright/test'
import type { EndpointName } from '#contract/api.ts'
import { Refusal, type RefusalCode } from '#contract/refusal.ts'

/** Holds the answers to a call back until the result is called. */
export async function hold(page: Page, name: EndpointName): Promise<() => Promise<void>> {
  const held: Route[] = []
  let open = false
  await page.route(addressOf(name), route => (open ? route.fallback() : void held.push(route)))
  return async () => {
    open = true
    for (const route of held) await route.fallback()
  }
}

/** Lets the server refuse a call, or not answer it at all, until the result is called. */
export async function refuse(
  page: Page,
  name: EndpointName,
  code: RefusalCode | 'unreachable',
): Promise<() => void> {
  let mended = false
  await page.route(addressOf(name), route => {
    if (mended) return route.fallback()
    if (code === 'unreachable') return route.abort()
    const { status, body } = new Refusal(code)
    return route.fulfill({ status, json: body })
  })
  return () => {
    mended = true
  }
}

/** Answers a read with this. */
export async function answer(page: Page, name: EndpointName, json: unknown) {
  await page.route(addressOf(name), route => route.fulfill({ json }))
}

/** The live line opens and says nothing: what is seen is what was asked for. */
export async function stubLiveConnection(page: Page) {
  await page.routeWebSocket(/\/live$/, () => undefined)
}

/** The calls of this name from here on, as they are made. */
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
