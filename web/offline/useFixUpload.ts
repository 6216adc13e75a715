import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { pageClock } from '#web/device/pageClock.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'

/**
 * Uploads fixes buffered offline as soon as there is a connection, whatever screen is open. A change of
 * screen uploads again: the previous one may have been the drive screen.
 */
export function useFixUpload() {
  const channel = useChannel()
  const { pathname } = useLocation()
  useEffect(() => {
    let stop: (() => void) | null = null
    let unmounted = false
    const start = async () => {
      const { fixUploaderOf } = await import('#web/offline/fixUploader.ts')
      if (!unmounted) stop = fixUploaderOf(channel).start(channel, pageClock)
    }
    start().catch(reportError)
    return () => {
      unmounted = true
      stop?.()
    }
  }, [channel, pathname])
}
