import { PrecacheController, type PrecacheEntry, PrecacheRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { appCacheName, type WorkerMessage } from '#web/device/shell.ts'
import { notificationOf } from './notifications.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: PrecacheEntry[] }

/** The install event of browsers with static routing, which TypeScript's library does not describe yet. */
interface RoutingInstallEvent extends ExtendableEvent {
  addRoutes?(rules: { condition: { urlPattern: string }; source: 'network' }[]): Promise<void>
}

const version: string = import.meta.env['VITE_APP_VERSION']

// Each build has its own cache, so that a new build is complete before it is used and open pages of the
// old build keep their files.
const shell = new PrecacheController({ cacheName: appCacheName(version) })
shell.addToCacheList(self.__WB_MANIFEST)

registerRoute(new PrecacheRoute(shell, { directoryIndex: '', cleanURLs: false }))
registerRoute(
  new NavigationRoute(shell.createHandlerBoundToURL('/'), {
    // Paths of the server and files, as in server/http/webFiles.ts.
    denylist: [/^\/(api|live|dev|assets)([/?]|$)/, /^[^?]*\/[^/?]*\.[^/?]*(\?|$)/],
  }),
)
// A page opened before this build took over still requests its own chunks.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  async ({ request }) => (await caches.match(request)) ?? fetch(request),
)

self.addEventListener('install', (event: RoutingInstallEvent) => {
  event.waitUntil(shell.install(event))
  event.waitUntil(bypassWorker(event))
})
self.addEventListener('push', event => {
  const { title, options } = notificationOf(event.data?.text())
  event.waitUntil(showUnlessDriving(title, options))
})
self.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(openPath(String(event.notification.data)))
})
self.addEventListener('activate', event => event.waitUntil(takeOver()))
self.addEventListener('message', event => {
  const message: WorkerMessage = event.data
  switch (message) {
    case 'take-over':
      return event.waitUntil(self.skipWaiting())
    case 'sweep':
      return event.waitUntil(pruneCaches())
    case 'version':
      return event.ports[0]?.postMessage(version)
  }
})

/**
 * Sends requests for the server's paths directly to the network. Chromium restarts the old worker for a
 * request that arrives while it stops that worker for a new build. The new build then stays `installed` until
 * the old worker had no request for 30 s, or for 5 minutes: the polls of open pages alone kept it busy.
 */
async function bypassWorker(event: RoutingInstallEvent) {
  const rules = ['/api/*', '/dev/*', '/version.json'].map(urlPattern => ({
    condition: { urlPattern },
    source: 'network' as const,
  }))
  // Without the rules the worker still leaves these requests to the network.
  await event.addRoutes?.(rules).catch(() => undefined)
}

/** A visible drive screen shows only messages to the driver. The server sends its phone nothing; this is for a race. */
async function showUnlessDriving(title: string, options: NotificationOptions) {
  const pages = await self.clients.matchAll({ type: 'window' })
  const drives = pages.some(
    ({ url, visibilityState }) =>
      visibilityState === 'visible' && new URL(url).pathname.endsWith('/drive'),
  )
  if (!drives) await self.registration.showNotification(title, options)
}

/** Shows the page with this path: an open one, or else a new one, so that no page loses what was entered. */
async function openPath(path: string) {
  const { href } = new URL(path, self.location.origin)
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = pages.find(({ url }) => url === href)
  await (open ? open.focus() : self.clients.openWindow(href))
}

async function takeOver() {
  await self.clients.claim()
  await pruneCaches()
}

/** Deletes every cache except this build's and those of builds that an open page still runs. */
async function pruneCaches() {
  // A newer worker is filling its cache or waiting: it prunes the caches when it takes over.
  if (self.registration.installing || self.registration.waiting) return
  const { held = [] } = await navigator.locks.query()
  const kept = new Set([appCacheName(version), ...held.map(({ name }) => name)])
  const names = await caches.keys()
  await Promise.all(names.filter(name => !kept.has(name)).map(name => caches.delete(name)))
}
