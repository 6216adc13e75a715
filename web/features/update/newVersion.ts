import { installNewest, pruneAppCaches, refreshWorker } from '#web/device/appWorker.ts'
import { whenIdle } from '#web/device/screen/idle.ts'
import { buildVersion } from './buildVersion.ts'
import { servedVersion } from './servedVersion.ts'
import { openMarker } from './versionMarker.ts'

/** Poll interval of the server and the service worker. Source: UP-3 in docs/SPEC-COVERAGE.md. */
const pollIntervalMs = 30_000

/**
 * Registers the service worker once the page is idle, then polls for a newer build. Calls `onReady`
 * with its version once it is fully cached. Returns the cleanup function.
 */
export function watchForNewVersion(onReady: (version: string) => void): () => void {
  const running = buildVersion()
  const marker = openMarker(running)
  let polling = false
  const poll = async () => {
    if (polling) return
    polling = true
    try {
      const [served] = await Promise.all([servedVersion(), refreshWorker()])
      // A build that does not install completely is retried with the next poll.
      if (served && marker.isNew(served) && (await installNewest()) === 'ready') onReady(served)
    } finally {
      polling = false
    }
  }
  const cancelIdle = whenIdle(() => {
    pruneAppCaches()
    void poll()
  })
  const timer = setInterval(() => void poll(), pollIntervalMs)
  return () => {
    cancelIdle()
    clearInterval(timer)
  }
}
