import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import { command } from '#web/api/call.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { setLogin } from '#web/api/login.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { authText } from '#web/text/auth.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { withEmail } from './authPaths.ts'

/**
 * Signs in with a code. The guard of the sign-in screens then leads on. A code that was refused
 * leads back to the sign-in; one that nobody looked at (no connection) can be sent again from here.
 */
export function useVerifyCode() {
  const client = useQueryClient()
  const toasts = useToasts()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return useMutation({
    mutationFn: (input: { email: string; code: string }) => command('auth.verifyCode', input),
    onMutate: () => toasts.dismiss('sign-in'),
    onSuccess: (login, { email }) => {
      toasts.success(appText.success, authText.signedIn(login.user.email ?? email))
      setLogin(client, login)
    },
    onError: (reason, { email }) => {
      toasts.error(appText.error, refusalText(reason), 'sign-in')
      if (reason instanceof CallRefused && reason.isPassing) return
      return navigate(withEmail('/auth/sign-in', email, search))
    },
  })
}
