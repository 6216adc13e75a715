import { useEffect, useRef, useState } from 'react'
import { activateNewest } from '#web/device/appWorker.ts'
import { clearStored } from '#web/device/stored.ts'
import { appText } from '#web/text/app.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { watchForNewVersion } from './newVersion.ts'
import { survivesUpdate } from './survivesUpdate.ts'
import { storeVersion } from './versionMarker.ts'

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
