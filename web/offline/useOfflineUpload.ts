import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { pageClock } from '#web/device/pageClock.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { fixUploaderOf } from './channelUploader.ts'
import { driverChangesOf } from './driverChangesOf.ts'

/**
 * Uploads fixes and driver changes queued offline as soon as there is a connection, whatever screen is open. A change of
 * screen uploads again: the previous one may have been the drive screen.
 */
export function useOfflineUpload() {
  const channel = useChannel()
  const { pathname } = useLocation()
  useEffect(() => fixUploaderOf(channel).start(channel, pageClock), [channel, pathname])
  useEffect(() => driverChangesOf(channel).start(channel, pageClock), [channel])
}
