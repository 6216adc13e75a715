import { shellName, type WorkerWord } from './shell.ts'

/** How the newest build is: here in full, out of reach for the moment, or refused by the browser. */
type Newest = 'ready' | 'unreachable' | 'failed'

/** Registers the service worker, or asks whether there is a newer one. Without a network it does nothing. */
export async function refreshWorker(): Promise<void> {
  const workers = browserWorkers()
  if (!workers) return
  try {
    const registration = await workers.getRegistration()
    await (registration ? registration.update() : workers.register('/sw.js'))
  } catch {
    // Away, or a browser without room or leave for it: the app runs without, and asks again.
  }
}

/** This page runs this build: its files stay on the device until it closes. To be said before anything else. */
export function holdShell(version: string) {
  if (!('locks' in navigator)) return
  const untilClosed = new Promise<never>(() => undefined)
  void navigator.locks.request(shellName(version), { mode: 'shared' }, () => untilClosed)
}

/** Has the files of builds deleted that no page runs any more. */
export function sweepShells() {
  if ('locks' in navigator) tell(browserWorkers()?.controller, 'sweep')
}

/** Loads the newest build beside the one that runs. */
export async function installNewest(): Promise<Newest> {
  const registration = await browserWorkers()?.getRegistration()
  if (!registration) return 'ready'
  try {
    await registration.update()
  } catch {
    return 'unreachable'
  }
  const coming = registration.installing
  return coming === null || (await becomes(coming, 'installed')) ? 'ready' : 'failed'
}

/** The newest build that was loaded answers from now on. */
export async function activateNewest(): Promise<void> {
  const registration = await browserWorkers()?.getRegistration()
  const waiting = registration?.waiting
  if (!waiting) return
  tell(waiting, 'take-over')
  // Given up means that a still newer one came in its place.
  if (!(await becomes(waiting, 'activated'))) await activateNewest()
}

/**
 * Loads the page anew, with the newest build if the server can be reached: a plain reload would show
 * the one that is on the device.
 */
export async function reloadToNewest(): Promise<void> {
  const newest = await installNewest()
  if (newest === 'ready') await activateNewest()
  // The server is there, but its build does not fit on the device: without a worker it is not needed.
  if (newest === 'failed') await (await browserWorkers()?.getRegistration())?.unregister()
  location.reload()
}

/** None where the page came neither over HTTPS nor from this machine. */
function browserWorkers(): ServiceWorkerContainer | null {
  return 'serviceWorker' in navigator ? navigator.serviceWorker : null
}

function tell(worker: ServiceWorker | null | undefined, word: WorkerWord) {
  worker?.postMessage(word)
}

/** True once the worker has come that far, false if it was given up. */
function becomes(worker: ServiceWorker, state: 'installed' | 'activated'): Promise<boolean> {
  return new Promise(resolve => {
    const look = () => {
      const isThere =
        worker.state === state || (state === 'installed' && worker.state.startsWith('activat'))
      if (!isThere && worker.state !== 'redundant') return
      worker.removeEventListener('statechange', look)
      resolve(isThere)
    }
    worker.addEventListener('statechange', look)
    look()
  })
}
