import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import KeyRound from 'lucide-react/icons/key-round'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { command } from '#web/api/call.ts'
import { setLogin } from '#web/api/login.ts'
import { loginQuery } from '#web/api/loginQuery.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { isCancelled } from '#web/device/passkeys.ts'
import { appText } from '#web/text/app.ts'
import { authText } from '#web/text/auth.ts'
import { Button } from '#web/ui/Button.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { withEmail } from './authPaths.ts'
import styles from './OtherWays.module.css'
import { useCanHavePasskey } from './useCanHavePasskey.ts'

/**
 * The buttons to sign in without a code: Google if the server is configured for it, and a passkey if `withPasskey` is
 * set and this device can have one. Renders nothing without either.
 */
export function OtherWays({ withPasskey = false }: { withPasskey?: boolean }) {
  const { data } = useQuery(loginQuery)
  const canUsePasskey = useCanHavePasskey() && withPasskey
  if (!data?.google && !canUsePasskey) return null
  return (
    <>
      <div className={styles.or}>
        <span>{authText.orContinueWith}</span>
      </div>
      <div className={styles.ways}>
        {data?.google && <GoogleButton />}
        {canUsePasskey && <PasskeyButton />}
      </div>
    </>
  )
}

/** Redirects to Google's sign-in, which redirects back to /new, or to the sign-in if refused. */
function GoogleButton() {
  const [leaving, setLeaving] = useState(false)
  const [search] = useSearchParams()
  function leave() {
    setLeaving(true)
    // The browser's Back button may restore this page from the back/forward cache.
    window.addEventListener('pageshow', () => setLeaving(false), { once: true })
    location.assign(withEmail('/api/auth/google', null, search))
  }
  return (
    <Button variant="quiet" busy={leaving} onClick={leave}>
      {!leaving && <GoogleMark />}
      {authText.google}
    </Button>
  )
}

/** Google's mark in its own colours, as required by the branding guidelines. */
function GoogleMark() {
  return (
    <svg viewBox="0 0 48 48" width={22} height={22} aria-hidden>
      <path
        fill="#EA4335"
        d="M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z"
      />
      <path
        fill="#4285F4"
        d="M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z"
      />
      <path
        fill="#FBBC05"
        d="M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z"
      />
      <path
        fill="#34A853"
        d="M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z"
      />
    </svg>
  )
}

/** Signs in with a passkey of this site, which the browser offers; the guard of the screen then redirects. */
function PasskeyButton() {
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
        isCancelled(reason) ? authText.passkeyNotUsed : refusalText(reason),
        'sign-in',
      ),
  })
  return (
    <Button
      variant="quiet"
      aria-label={authText.passkeySignIn}
      busy={signIn.isPending}
      onClick={() => signIn.mutate()}
    >
      {!signIn.isPending && <KeyRound size={22} aria-hidden />}
      {authText.passkey}
    </Button>
  )
}
