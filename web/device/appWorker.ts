import { appCacheName, type WorkerMessage } from './shell.ts'

/** State of the newest build: installed, not reachable right now, or failed to install. */
type InstallResult = 'ready' | 'unreachable' | 'failed'

/** Registers the service worker, or checks for a newer one. Does nothing without a network. */
export async function refreshWorker(): Promise<void> {
  const workers = browserWorkers()
  if (!workers) return
  try {
    const registration = await workers.getRegistration()
    await (registration ? update(registration) : workers.register('/sw.js'))
  } catch {
    // Offline, or the browser has no storage or blocks service workers: the app runs without one and
    // retries later.
  }
}

/** A check for a newer worker that takes longer counts as failed: some browsers never answer it. */
const updateTimeoutMs = 20_000

function update(registration: ServiceWorkerRegistration): Promise<unknown> {
  const timeout = new Promise((_, reject) => setTimeout(reject, updateTimeoutMs))
  return Promise.race([registration.update(), timeout])
}

/**
 * Holds a lock on the cache of this build, so that its files stay on the device until this page closes.
 * Call it before anything else.
 */
export function pinAppCache(version: string) {
  if (!('locks' in navigator)) return
  const untilClosed = new Promise<never>(() => undefined)
  void navigator.locks.request(appCacheName(version), { mode: 'shared' }, () => untilClosed)
}

/** Deletes the caches of builds that no open page runs. */
export function pruneAppCaches() {
  if ('locks' in navigator) post(browserWorkers()?.controller, 'sweep')
}

/**
 * Installs this version in the background, next to the running one. Resolves with true if a reload would show it. While
 * nodes are updated one after another, the worker may come from one that still has the old build: then the next check
 * finds it.
 */
export async function installVersion(version: string): Promise<boolean> {
  if ((await installNewest()) !== 'ready') return false
  const registration = await browserWorkers()?.getRegistration()
  // Active if another tab has updated. Without a worker the page comes from the server.
  const next = registration?.waiting ?? registration?.active
  return !next || (await versionOf(next)) === version
}

/** Installs the newest build that the server has, which may be the running one. */
async function installNewest(): Promise<InstallResult> {
  const registration = await browserWorkers()?.getRegistration()
  if (!registration) return 'ready'
  try {
    await update(registration)
  } catch {
    return 'unreachable'
  }
  const installing = registration.installing
  return installing === null || (await reaches(installing, 'installed')) ? 'ready' : 'failed'
}

/** Activates the newest installed build, which serves every request from now on. */
export async function activateNewest(): Promise<void> {
  const registration = await browserWorkers()?.getRegistration()
  const waiting = registration?.waiting
  if (!waiting) return
  post(waiting, 'take-over')
  // A redundant worker was replaced by an even newer one.
  if (!(await reaches(waiting, 'activated'))) await activateNewest()
}

/**
 * Reloads the page with the newest build, if the server is reachable: a plain reload would show the
 * cached build.
 */
export async function reloadToNewest(): Promise<void> {
  const newest = await installNewest()
  if (newest === 'ready') await activateNewest()
  // The server is reachable, but its build does not fit into the cache: load it without a service
  // worker.
  if (newest === 'failed') await (await browserWorkers()?.getRegistration())?.unregister()
  location.reload()
}

/** Null unless the page was loaded over HTTPS or from localhost. */
function browserWorkers(): ServiceWorkerContainer | null {
  return 'serviceWorker' in navigator ? navigator.serviceWorker : null
}

function post(
  worker: ServiceWorker | null | undefined,
  message: WorkerMessage,
  ports: MessagePort[] = [],
) {
  worker?.postMessage(message, ports)
}

/** A worker that does not respond for this long counts as one of an unknown version. */
const versionTimeoutMs = 5000

/** The version of a worker's build; null if it does not respond. */
function versionOf(worker: ServiceWorker): Promise<string | null> {
  const { port1, port2 } = new MessageChannel()
  return new Promise<string | null>(resolve => {
    setTimeout(() => resolve(null), versionTimeoutMs)
    port1.onmessage = ({ data }) => resolve(String(data))
    post(worker, 'version', [port2])
  }).finally(() => port1.close())
}

/** Resolves with true once the worker reaches this state, with false if it becomes redundant. */
function reaches(worker: ServiceWorker, state: 'installed' | 'activated'): Promise<boolean> {
  return new Promise(resolve => {
    const check = () => {
      const reached =
        worker.state === state || (state === 'installed' && worker.state.startsWith('activat'))
      if (!reached && worker.state !== 'redundant') return
      worker.removeEventListener('statechange', check)
      resolve(reached)
    }
    worker.addEventListener('statechange', check)
    check()
  })
}
