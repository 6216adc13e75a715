import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { queueOfChanges } from '#client/driver/storedChanges.ts'
import { answersKey, lostFixesKey, receiptsKey, shownFlagsKey } from '#client/storedKeys.ts'
import { command } from '#web/api/call.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { clearLogin, useMe } from '#web/api/login.ts'
import { textStore } from '#web/device/textStore.ts'
import { countUnsent, deleteAllOf } from '#web/offline/fixStore.ts'
import { profileText } from '#web/text/profile.ts'
import { useCommand } from '#web/ui/useCommand.ts'

/** Amount of data that the device has not sent yet. */
interface Unsent {
  readonly positions: number
  /** Driver changes made in the car. */
  readonly changes: number
}

interface SignOut {
  /** Signs out, or asks first if unsent positions or driver changes would be lost. */
  readonly request: () => Promise<void>
  /** The data that signing out would delete; null unless a confirmation is pending. */
  readonly unsent: Unsent | null
  readonly confirm: () => void
  readonly stay: () => void
}

/**
 * Ends the login. The guard then redirects to the sign-in, and the device deletes the person's data.
 */
export function useSignOut(): SignOut {
  const client = useQueryClient()
  const { id } = useMe()
  const [unsent, setUnsent] = useState<Unsent | null>(null)
  const end = useCommand({
    send: async () => {
      await command('auth.signOut', {}).catch(ignoreEnded)
      await deleteUnsent(id)
    },
    failed: profileText.signOutFailed,
    onSuccess: () => clearLogin(client),
  })
  return {
    unsent,
    async request() {
      const found = await unsentOf(id)
      if (found.positions + found.changes > 0) setUnsent(found)
      else end.mutate()
    },
    confirm() {
      setUnsent(null)
      end.mutate()
    },
    stay: () => setUnsent(null),
  }
}

async function unsentOf(userId: string): Promise<Unsent> {
  return {
    positions: await countUnsent(userId).catch(none),
    changes: queueOfChanges(textStore, userId).items.length,
  }
}

/** Counts storage that cannot be read as empty. */
function none(): number {
  return 0
}

/** Deletes the data of this user that the device has not sent yet. */
export async function deleteUnsent(userId: string) {
  textStore.remove(receiptsKey)
  textStore.remove(answersKey)
  textStore.remove(shownFlagsKey)
  textStore.remove(lostFixesKey)
  // Changes of other users of this device stay.
  queueOfChanges(textStore, userId).update(() => [])
  await deleteAllOf(userId).catch(reportError)
}

/** A login that has ended already counts as success. */
function ignoreEnded(reason: unknown) {
  if (!(reason instanceof CallRefused && reason.code === 'not-signed-in')) throw reason
}
