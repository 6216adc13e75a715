import { installNewest, refreshWorker, sweepShells } from '#web/device/appWorker.ts'
import { whenIdle } from '#web/device/idle.ts'
import { buildVersion } from './buildVersion.ts'
import { servedVersion } from './servedVersion.ts'
import { openMarker } from './versionMarker.ts'

/** How often the server and the worker are asked. Source: specification, section 9. */
const everyMs = 30_000

/**
 * Registers the worker once the page is idle and looks for a newer build from then on. `onReady` is
 * told its version when it is on the device in full. Returns its undoing.
 */
export function watchForNewVersion(onReady: (version: string) => void): () => void {
  const running = buildVersion()
  const marker = openMarker(running)
  let asking = false
  const look = async () => {
    if (asking) return
    asking = true
    try {
      const [served] = await Promise.all([servedVersion(), refreshWorker()])
      // A build that does not arrive in full is tried again with the next look.
      if (served && marker.isNews(served) && (await installNewest()) === 'ready') onReady(served)
    } finally {
      asking = false
    }
  }
  const undoIdle = whenIdle(() => {
    sweepShells()
    void look()
  })
  const timer = setInterval(() => void look(), everyMs)
  return () => {
    undoIdle()
    clearInterval(timer)
  }
}
