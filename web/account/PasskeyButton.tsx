import { useMutation, useQueryClient } from '@tanstack/react-query'
import { command } from '#web/api/call.ts'
import { setLogin } from '#web/api/login.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { isCancelled, supportsPasskeys } from '#web/device/passkeys.ts'
import { appText } from '#web/text/app.ts'
import { authText } from '#web/text/auth.ts'
import { passkeysText } from '#web/text/passkeys.ts'
import { Button } from '#web/ui/Button.tsx'
import { useToasts } from '#web/ui/toasts.ts'

/**
 * Signs in with a passkey that the browser finds for this site; the guard of the screen then redirects. Shown only
 * where the browser supports passkeys.
 */
export function PasskeyButton() {
  const client = useQueryClient()
  const toasts = useToasts()
  const signIn = useMutation({
    mutationFn: async () => {
      const optionsJSON = await command('passkeys.startSignIn', {})
      const { startAuthentication } = await import('@simplewebauthn/browser')
      const { id, rawId, type, response } = await startAuthentication({ optionsJSON })
      return command('passkeys.signIn', { credential: { id, rawId, type, response } })
    },
    onMutate: () => toasts.dismiss('sign-in'),
    onSuccess: login => {
      toasts.success(appText.success, authText.signedIn(login.user.email ?? ''))
      setLogin(client, login)
    },
    onError: reason =>
      toasts.error(
        appText.error,
        isCancelled(reason) ? passkeysText.passkeyNotUsed : refusalText(reason),
        'sign-in',
      ),
  })
  if (!supportsPasskeys()) return null
  return (
    <Button variant="quiet" busy={signIn.isPending} onClick={() => signIn.mutate()}>
      {passkeysText.signIn}
    </Button>
  )
}
