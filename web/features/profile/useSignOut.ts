import { useMutation, useQueryClient } from '@tanstack/react-query'
import { command } from '#web/api/call.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { clearLogin } from '#web/api/login.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { profileText } from '#web/text/profile.ts'
import { useToasts } from '#web/ui/toasts.ts'

/** Ends the login. The guard then leads to the sign-in, and the device forgets who was here. */
export function useSignOut() {
  const client = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: () => command('auth.signOut', {}).catch(unlessOver),
    onMutate: () => toasts.dismiss('sign-out'),
    onSuccess: () => clearLogin(client),
    onError: reason => toasts.error(profileText.signOutFailed, refusalText(reason), 'sign-out'),
  })
}

/** A login that had ended already is what was wanted. */
function unlessOver(reason: unknown) {
  if (!(reason instanceof CallRefused && reason.code === 'not-signed-in')) throw reason
}
