import { useEffect, useState } from 'react'
import { activateNewest } from '#web/device/appWorker.ts'
import { forgetStored } from '#web/device/stored.ts'
import { appText } from '#web/text/app.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { watchForNewVersion } from './newVersion.ts'
import { staysThroughUpdate } from './staysThroughUpdate.ts'
import { storeVersion } from './versionMarker.ts'

/** From the toast to the reload. Source: specification, section 9. */
const reloadDelayMs = 1000

/** Goes over to a newer build by itself. While `held`, it waits: somebody drives, or talks to who does. */
export function useAppUpdate(held: boolean) {
  const toasts = useToasts()
  const [version, setVersion] = useState<string | null>(null)

  useEffect(() => {
    // While developing, Vite replaces what changes.
    if (import.meta.env.PROD) return watchForNewVersion(setVersion)
  }, [])

  useEffect(() => {
    if (version === null) return
    if (held) {
      toasts.notice(appText.updateWaits, appText.updateWaitsText, 'update')
      return
    }
    toasts.notice(appText.updated, undefined, 'update')
    const change = new AbortController()
    const timer = setTimeout(() => void changeTo(version, change.signal), reloadDelayMs)
    return () => {
      clearTimeout(timer)
      change.abort()
    }
  }, [version, held, toasts])
}

/** Each wait may be long enough for a drive screen to open: then nothing more is done. */
async function changeTo(version: string, signal: AbortSignal) {
  // The new build takes the place of the old one: from now on it answers.
  await activateNewest()
  if (signal.aborted) return
  await forgetStored(staysThroughUpdate)
  if (signal.aborted) return
  storeVersion(version)
  location.reload()
}
