import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { pageClock } from '#web/device/pageClock.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'

/**
 * Uploads what was driven without network as soon as there is a connection, whatever screen is open,
 * and once more with another screen: the one before may have been the drive screen.
 */
export function useFixUpload() {
  const channel = useChannel()
  const { pathname } = useLocation()
  useEffect(() => {
    let stop: (() => void) | null = null
    let isOver = false
    const start = async () => {
      const { fixUploaderOf } = await import('#web/features/drive/fixUploader.ts')
      if (!isOver) stop = fixUploaderOf(channel).start(channel, pageClock)
    }
    start().catch(reportError)
    return () => {
      isOver = true
      stop?.()
    }
  }, [channel, pathname])
}
