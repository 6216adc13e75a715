import { useMutation, useQueryClient } from '@tanstack/react-query'
import { command } from '#web/api/call.ts'
import { clearLogin } from '#web/api/login.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { profileText } from '#web/text/profile.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { clearDevice } from './clearDevice.ts'

/** Ends the login and clears what this device keeps. The guard then leads to the sign-in. */
export function useSignOut() {
  const client = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: async () => {
      await command('auth.signOut', {})
      await clearDevice()
    },
    onMutate: () => toasts.dismiss('sign-out'),
    onSuccess: () => clearLogin(client),
    onError: reason => toasts.error(profileText.signOutFailed, refusalText(reason), 'sign-out'),
  })
}
