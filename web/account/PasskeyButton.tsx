import { useMutation, useQueryClient } from '@tanstack/react-query'
import KeyRound from 'lucide-react/icons/key-round'
import { command } from '#web/api/call.ts'
import { setLogin } from '#web/api/login.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { isCancelled } from '#web/device/passkeys.ts'
import { appText } from '#web/text/app.ts'
import { authText } from '#web/text/auth.ts'
import { passkeysText } from '#web/text/passkeys.ts'
import { Button } from '#web/ui/Button.tsx'
import { useToasts } from '#web/ui/toasts.ts'

/** Signs in with a passkey of this site, which the browser offers; the guard of the screen then redirects. */
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
  return (
    <Button
      variant="quiet"
      aria-label={passkeysText.signIn}
      busy={signIn.isPending}
      onClick={() => signIn.mutate()}
    >
      {!signIn.isPending && <KeyRound size={22} aria-hidden />}
      {passkeysText.passkey}
    </Button>
  )
}
