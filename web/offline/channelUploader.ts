import type { Channel } from '#client/channel/channel.ts'
import { FixUploader, type UploadAnswer } from '#client/fixes/fixUploader.ts'
import { lostFixesOf } from '#client/fixes/lostFixes.ts'
import type { Fix } from '#contract/positions.ts'
import { command } from '#web/api/call.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import {
  correctTimes,
  deleteQueued,
  nextQueued,
  requeueInFlight,
  undatedOf,
} from '#web/offline/fixStore.ts'
import { holdPage, openPages } from './openPages.ts'
import { signedInUser } from './signedInUser.ts'

const uploaders = new WeakMap<Channel, FixUploader>()

/** Returns the uploader of the signed-in user's unsent fixes; one per channel. */
export function fixUploaderOf(channel: Channel): FixUploader {
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
