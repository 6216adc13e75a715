import { useEffect, useRef, useState } from 'react'
import {
  activateNewest,
  installVersion,
  pruneAppCaches,
  refreshWorker,
} from '#web/device/appWorker.ts'
import { whenIdle } from '#web/device/idle.ts'
import { clearStored } from '#web/device/stored.ts'
import { appText } from '#web/text/app.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { buildVersion } from './buildVersion.ts'
import { survivesUpdate } from './survivesUpdate.ts'
import { openMarker, storeVersion } from './versionMarker.ts'

/** Delay between the toast and the reload. Source: UP-2 in docs/specification.tsv. */
const reloadDelayMs = 1000

interface Use {
  /** True while the user drives, or sends messages to a driver: the update waits. */
  held: boolean
  /** True while the user drives. */
  driving: boolean
}

/** Updates to a newer build automatically, except while `held`. */
export function useAppUpdate({ held, driving }: Use) {
  const toasts = useToasts()
  const watch = useRef<ReturnType<typeof watchForNewVersion>>(null)
  const [version, setVersion] = useState<string | null>(null)

  useEffect(() => {
    // In development Vite replaces modules itself.
    if (!import.meta.env.PROD) return
    const started = watchForNewVersion(setVersion)
    watch.current = started
    return () => started.stop()
  }, [])

  useEffect(() => watch.current?.setDriving(driving), [driving])

  useEffect(() => {
    if (version === null) return
    if (held) {
      toasts.success(appText.updateWaits, appText.updateWaitsText, 'update')
      return
    }
    toasts.success(appText.success, appText.updated, 'update')
    const change = new AbortController()
    const timer = setTimeout(() => void changeTo(version, change.signal), reloadDelayMs)
    return () => {
      clearTimeout(timer)
      change.abort()
    }
  }, [version, held, toasts])
}

/** A drive screen may open during each wait: then the update is aborted. */
async function changeTo(version: string, signal: AbortSignal) {
  // From now on the service worker serves the new build.
  await activateNewest()
  if (signal.aborted) return
  await clearStored(survivesUpdate)
  if (signal.aborted) return
  storeVersion(version)
  location.reload()
}

/** Poll interval of the server and the service worker. Source: UP-3 in docs/specification.tsv. */
const pollIntervalMs = 30_000

/** Poll interval of a drive screen, which is not updated anyway: each poll costs 5 kB of mobile data. */
const drivingIntervalMs = 300_000

/** A timer may fire a rounded millisecond early, or soon after a poll that waited for the page to be idle. */
const timerToleranceMs = 10_000

interface VersionWatch {
  setDriving(isDriving: boolean): void
  stop(): void
}

/**
 * Registers the service worker once the page is idle, then polls for a newer build. Calls `onReady`
 * with its version once it is fully cached.
 */
function watchForNewVersion(onReady: (version: string) => void): VersionWatch {
  const running = buildVersion()
  const marker = openMarker(running)
  let polling = false
  let driving = false
  let polledAt = performance.now()
  const poll = async () => {
    if (polling) return
    polling = true
    polledAt = performance.now()
    try {
      const [served] = await Promise.all([servedVersion(), refreshWorker()])
      // A build that is not installed completely is retried with the next poll.
      if (served && marker.isNew(served) && (await installVersion(served))) onReady(served)
    } finally {
      polling = false
    }
  }
  const cancelIdle = whenIdle(() => {
    pruneAppCaches()
    void poll()
  })
  const pollIfDue = () => {
    const intervalMs = driving ? drivingIntervalMs : pollIntervalMs
    if (performance.now() - polledAt >= intervalMs - timerToleranceMs) void poll()
  }
  const timer = setInterval(pollIfDue, pollIntervalMs)
  return {
    setDriving(isDriving) {
      driving = isDriving
      pollIfDue()
    },
    stop() {
      cancelIdle()
      clearInterval(timer)
    },
  }
}

/** Response timeout. */
const timeoutMs = 10_000

/** The build version on the server; null if it is unreachable or the response is malformed. */
async function servedVersion(): Promise<string | null> {
  try {
    const response = await fetch('/version.json', {
      cache: 'no-store',
      headers: { 'cache-control': 'no-cache' },
      signal: AbortSignal.timeout(timeoutMs),
    })
    const body: unknown = response.ok ? await response.json() : null
    return versionIn(body)
  } catch {
    return null
  }
}

function versionIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('version' in body)) return null
  return typeof body.version === 'string' && body.version !== '' ? body.version : null
}
