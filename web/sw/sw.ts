import { PrecacheController, type PrecacheEntry, PrecacheRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { shellName, type WorkerWord } from '#web/device/shell.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: PrecacheEntry[] }

const version: string = import.meta.env['VITE_APP_VERSION']

// Each build has a cache of its own, so that a new one is complete before it is used and an open page
// of the old one keeps its files.
const shell = new PrecacheController({ cacheName: shellName(version) })
shell.addToCacheList(self.__WB_MANIFEST)

registerRoute(new PrecacheRoute(shell, { directoryIndex: '', cleanURLs: false }))
registerRoute(
  new NavigationRoute(shell.createHandlerBoundToURL('/'), {
    // The server's own, and files: as server/http/webFiles.ts has it.
    denylist: [/^\/(api|live|dev|assets)([/?]|$)/, /^[^?]*\/[^/?]*\.[^/?]*(\?|$)/],
  }),
)
// A page that was opened before this build took over still asks for code of its own.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  async ({ request }) => (await caches.match(request)) ?? fetch(request),
)

self.addEventListener('install', event => event.waitUntil(shell.install(event)))
self.addEventListener('activate', event => event.waitUntil(takeOver()))
self.addEventListener('message', event => {
  const word: WorkerWord = event.data
  switch (word) {
    case 'take-over':
      return event.waitUntil(self.skipWaiting())
    case 'sweep':
      return event.waitUntil(sweep())
  }
})

async function takeOver() {
  await self.clients.claim()
  await sweep()
}

/** Deletes every cache but this build's and those of builds that a page still runs. */
async function sweep() {
  // A newer worker is filling its cache, or has: it sweeps when it takes over.
  if (self.registration.installing || self.registration.waiting) return
  const { held = [] } = await navigator.locks.query()
  const kept = new Set([shellName(version), ...held.map(({ name }) => name)])
  const names = await caches.keys()
  await Promise.all(names.filter(name => !kept.has(name)).map(name => caches.delete(name)))
}
