import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SignedInDevice } from '#contract/auth.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { profileText } from '#web/text/profile.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { deviceName } from './deviceName.ts'
import { loginsQuery } from './loginsQuery.ts'

/** Ends other logins of this user, then refetches the list, even after a failure. */
export function useEndLogins() {
  const client = useQueryClient()
  const toasts = useToasts()
  const shared = {
    onMutate: () => toasts.dismiss('end-login'),
    onError: (reason: unknown) =>
      toasts.error(profileText.endFailed, refusalText(reason), 'end-login'),
    onSettled: () => client.invalidateQueries({ queryKey: loginsQuery.queryKey }),
  }
  const one = useMutation({
    ...shared,
    mutationFn: ({ id }: SignedInDevice) => command('auth.endLogin', { loginId: id }),
    onSuccess: (_answer, login) =>
      toasts.success(appText.success, profileText.ended(deviceName(login))),
  })
  const others = useMutation({
    ...shared,
    mutationFn: (devices: boolean) => command('auth.signOutEverywhere', { devices }),
    onSuccess: ({ ended }) => toasts.success(appText.success, profileText.endedCount(ended)),
  })
  return { one, others }
}
