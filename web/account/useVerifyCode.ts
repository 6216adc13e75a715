import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import { command } from '#web/api/call.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { recordSignIn } from '#web/api/justSignedIn.ts'
import { setLogin } from '#web/api/login.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { authText } from '#web/text/auth.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { withEmail } from './authPaths.ts'

/**
 * Signs in with a code; the guard of the sign-in screens then redirects. A refused code leads back to
 * the sign-in, while a transient error (no connection) leaves the screen open for a retry.
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
      recordSignIn()
      setLogin(client, login)
    },
    onError: (reason, { email }) => {
      toasts.error(appText.error, refusalText(reason), 'sign-in')
      if (reason instanceof CallRefused && reason.mayRetrySoon) return
      return navigate(withEmail('/auth/sign-in', email, search))
    },
  })
}
