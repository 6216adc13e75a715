import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answersKey, lostFixesKey, receiptsKey } from '#client/driver/storedKeys.ts'
import { driverChangesKey } from '#client/stints/driverChangesKey.ts'
import { command } from '#web/api/call.ts'
import { clearLogin, useMe } from '#web/api/login/login.ts'
import { CallRefused } from '#web/api/refusals/callRefused.ts'
import { refusalText } from '#web/api/refusals/refusalText.ts'
import { textStore } from '#web/device/textStore.ts'
import { profileText } from '#web/text/profile.ts'
import { useToasts } from '#web/ui/overlays/toasts.ts'

interface SignOut {
  /** Signs out, or asks first if unsent positions would be lost. */
  readonly request: () => Promise<void>
  /** Number of positions that would be lost; null unless a confirmation is pending. */
  readonly unsent: number | null
  readonly confirm: () => void
  readonly stay: () => void
}

/**
 * Ends the login. The guard then redirects to the sign-in, and the device deletes the person's data.
 */
export function useSignOut(): SignOut {
  const client = useQueryClient()
  const toasts = useToasts()
  const { id } = useMe()
  const [unsent, setUnsent] = useState<number | null>(null)
  const end = useMutation({
    mutationFn: async () => {
      await command('auth.signOut', {}).catch(ignoreEnded)
      await deleteUnsent(id)
    },
    onMutate: () => toasts.dismiss('sign-out'),
    onSuccess: () => clearLogin(client),
    onError: reason => toasts.error(profileText.signOutFailed, refusalText(reason), 'sign-out'),
  })
  return {
    unsent,
    async request() {
      const count = await unsentOf(id)
      if (count > 0) setUnsent(count)
      else end.mutate()
    },
    confirm() {
      setUnsent(null)
      end.mutate()
    },
    stay: () => setUnsent(null),
  }
}

async function unsentOf(userId: string): Promise<number> {
  try {
    const { countUnsent } = await import('#web/offline/fixStore.ts')
    return await countUnsent(userId)
  } catch {
    // Storage that cannot be read has nothing to lose.
    return 0
  }
}

/** Deletes what the phone of this user has not sent yet. */
export async function deleteUnsent(userId: string) {
  textStore.remove(receiptsKey)
  textStore.remove(answersKey)
  textStore.remove(driverChangesKey)
  textStore.remove(lostFixesKey)
  try {
    const { deleteAllOf } = await import('#web/offline/fixStore.ts')
    await deleteAllOf(userId)
  } catch (reason) {
    reportError(reason)
  }
}

/** A login that has ended already counts as success. */
function ignoreEnded(reason: unknown) {
  if (!(reason instanceof CallRefused && reason.code === 'not-signed-in')) throw reason
}
