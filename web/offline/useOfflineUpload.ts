import { useEffect } from 'react'
import { useLocation } from 'react-router'
import type { Channel } from '#client/channel/channel.ts'
import { FixUploader, type UploadAnswer } from '#client/fixes/fixUploader.ts'
import { lostFixesOf } from '#client/fixes/lostFixes.ts'
import type { Fix } from '#contract/positions.ts'
import { command } from '#web/api/call.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { pageClock } from '#web/device/pageClock.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import {
  correctTimes,
  deleteQueued,
  nextQueued,
  requeueInFlight,
  undatedOf,
} from '#web/offline/fixStore.ts'
import { driverChangesOf } from './driverChangesOf.ts'
import { signedInUser } from './signedInUser.ts'

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

const uploaders = new WeakMap<Channel, FixUploader>()

/** Returns the uploader of the signed-in user's unsent fixes; one per channel. */
function fixUploaderOf(channel: Channel): FixUploader {
  const known = uploaders.get(channel)
  if (known) return known
  holdPage(channel.clock.pageId)
  const uploader = new FixUploader({
    userId: channel.userId,
    queue: { correctTimes, deleteQueued, nextQueued, requeueInFlight, undatedOf },
    serverClock: channel.clock,
    openPages,
    upload,
    signedIn: signedInUser,
    report: problem => reportError(new Error(problem)),
    onLost: count => lostFixesOf(channel).add(count),
  })
  uploaders.set(channel, uploader)
  return uploader
}

async function upload(sessionId: string, fixes: readonly Fix[]): Promise<UploadAnswer> {
  try {
    return await command('sessions.storeFixes', { sessionId, fixes: [...fixes] })
  } catch (reason) {
    if (!(reason instanceof CallRefused) || reason.code === 'unreachable') return { failed: null }
    return { failed: reason.code }
  }
}

const prefix = 'pitboard-page-'

/** Holds a lock with the id of this page until it closes, by which other pages know that it is open. */
function holdPage(id: string) {
  if (!('locks' in navigator)) return
  const untilClosed = new Promise<never>(() => undefined)
  void navigator.locks.request(prefix + id, () => untilClosed)
}

/** Returns the ids of the pages that are open on this device; none if the browser has no locks. */
async function openPages(): Promise<ReadonlySet<string>> {
  if (!('locks' in navigator)) return new Set()
  const { held = [] } = await navigator.locks.query()
  const names = held.map(({ name = '' }) => name).filter(name => name.startsWith(prefix))
  return new Set(names.map(name => name.slice(prefix.length)))
}
