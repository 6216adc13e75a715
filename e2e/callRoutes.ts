import type { APIResponse, CDPSession, Page } from '@playwright/test'
import type { EndpointName } from '#contract/api.ts'

/** A call of the page that waits for its handler. */
export interface CallRoute {
  readonly url: URL
  /** Responds with this JSON instead of the server. */
  fulfill(response: { status?: number; json: unknown }): Promise<void>
  /** Fails the request as without a network. */
  abort(): Promise<void>
  /** Passes the call to the handler that was added before this one, or to the server if there is none. */
  fallback(): Promise<void>
  /** Sends the call to the server, or to this URL, with the cookies of the page, and returns its response. */
  fetch(url?: string): Promise<APIResponse>
}

type Handler = (route: CallRoute) => unknown

interface Router {
  /** Newest first. */
  readonly handlers: { path: string; handler: Handler }[]
  readonly devtools: Promise<CDPSession>
}

/** The fields of the event `Fetch.requestPaused` that are used here. */
interface Paused {
  requestId: string
  request: { url: string; method: string; headers: Record<string, string>; postData?: string }
}

const routers = new WeakMap<Page, Router>()

/**
 * Handles the page's requests of one call. Unlike `page.route`, which pauses every request and disables the HTTP cache,
 * it pauses only calls with a handler: a page load then takes half the processor time.
 */
export async function routeCall(page: Page, name: EndpointName, handler: Handler) {
  const router = routers.get(page) ?? start(page)
  router.handlers.unshift({ path: `/api/${name}`, handler })
  const paths = new Set(router.handlers.map(({ path }) => path))
  const devtools = await router.devtools
  await devtools.send('Fetch.enable', {
    patterns: [...paths].flatMap(path => [
      { urlPattern: `*://*${path}` },
      { urlPattern: `*://*${path}\\?*` },
    ]),
  })
}

/** Removes the handlers of a page. Calls that wait for one are sent to the server. */
export async function unrouteCalls(page: Page) {
  const router = routers.get(page)
  routers.delete(page)
  await router?.devtools.then(devtools => devtools.detach()).catch(() => undefined)
}

function start(page: Page): Router {
  const devtools = page.context().newCDPSession(page)
  const router: Router = { handlers: [], devtools }
  routers.set(page, router)
  void devtools.then(session =>
    session.on('Fetch.requestPaused', (paused: Paused) => {
      void handle(page, router, session, paused)
    }),
  )
  return router
}

async function handle(page: Page, { handlers }: Router, devtools: CDPSession, paused: Paused) {
  const { requestId, request } = paused
  const url = new URL(request.url)
  const pending = handlers.filter(({ path }) => path === url.pathname)
  // The page may be closed, or its handlers removed, before a handler has ended.
  const send = (act: () => Promise<unknown>) =>
    act().then(
      () => undefined,
      () => undefined,
    )
  const route: CallRoute = {
    url,
    fulfill: ({ status = 200, json }) =>
      send(() =>
        devtools.send('Fetch.fulfillRequest', {
          requestId,
          responseCode: status,
          responseHeaders: [{ name: 'content-type', value: 'application/json' }],
          body: Buffer.from(JSON.stringify(json)).toString('base64'),
        }),
      ),
    abort: () =>
      send(() => devtools.send('Fetch.failRequest', { requestId, errorReason: 'Failed' })),
    async fallback() {
      const next = pending.shift()
      if (next) await next.handler(route)
      else await send(() => devtools.send('Fetch.continueRequest', { requestId }))
    },
    fetch: (other = request.url) =>
      page.context().request.fetch(other, {
        method: request.method,
        headers: request.headers,
        ...(request.postData !== undefined && { data: request.postData }),
      }),
  }
  await route.fallback()
}
