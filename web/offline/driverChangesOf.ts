import type { Channel } from '#client/channel/channel.ts'
import { type ChangeAnswer, DriverChanges } from '#client/driver/driverChanges.ts'
import type { DueChange } from '#client/driver/storedChanges.ts'
import { command } from '#web/api/call.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { textStore } from '#web/device/textStore.ts'
import { signedInUser } from './signedInUser.ts'

const all = new WeakMap<Channel, DriverChanges>()

/** Returns the driver changes that the signed-in user made on this phone; one object per channel. */
export function driverChangesOf(channel: Channel): DriverChanges {
  const known = all.get(channel)
  if (known) return known
  const changes = new DriverChanges({
    userId: channel.userId,
    serverClock: channel.clock,
    store: textStore,
    newId: () => crypto.randomUUID(),
    send,
    signedIn: signedInUser,
    report: problem => reportError(new Error(problem)),
  })
  all.set(channel, changes)
  return changes
}

async function send(change: DueChange, at: number): Promise<ChangeAnswer> {
  const { kind, sessionId, stintId, driverId } = change
  try {
    return {
      race:
        kind === 'add'
          ? await command('stints.add', { sessionId, stintId, driverId, from: at })
          : await command('stints.remove', { sessionId, stintId, at }),
    }
  } catch (reason) {
    if (!(reason instanceof CallRefused) || reason.code === 'unreachable') return { failed: null }
    return { failed: reason.code }
  }
}
