import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useSearchParams } from 'react-router'
import { command } from '#web/api/call.ts'
import { setLogin } from '#web/api/login.ts'
import { refusalText, sentenceOf } from '#web/api/refusalText.ts'
import { isCancelled, supportsPasskeys } from '#web/device/passkeys.ts'
import { appText } from '#web/text/app.ts'
import { authText } from '#web/text/auth.ts'
import { passkeysText } from '#web/text/passkeys.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmailField } from '#web/ui/Field.tsx'
import { isEmail } from '#web/ui/isEmail.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { AfterQuestion } from './AfterQuestion.tsx'
import { Aside, AuthLayout } from './AuthLayout.tsx'
import { withEmail } from './authPaths.ts'
import { GoogleButton } from './GoogleButton.tsx'
import { useSendCode } from './useSendCode.ts'

export function SignInScreen() {
  return (
    <AfterQuestion>
      <SignInForm />
    </AfterQuestion>
  )
}

function SignInForm() {
  usePageTitle(authText.signInPage)
  useRefusedReturn()
  const [search] = useSearchParams()
  const { register, handleSubmit, formState, setError } = useForm({
    mode: 'onTouched',
    defaultValues: { email: search.get('email') ?? '' },
  })
  const sendCode = useSendCode(setError, ['email'])
  return (
    <AuthLayout title={authText.signInTitle}>
      <form noValidate onSubmit={event => void handleSubmit(it => sendCode.mutate(it))(event)}>
        <Stack>
          <EmailField
            {...register('email', {
              validate: text => isEmail(text) || authText.emailIncomplete,
            })}
            label={authText.email}
            error={formState.errors.email?.message}
            placeholder={authText.emailExample}
          />
          <Button type="submit" disabled={!formState.isValid} busy={sendCode.isPending}>
            {authText.signIn}
          </Button>
          <GoogleButton />
          <PasskeyButton />
        </Stack>
      </form>
      <Aside>
        {authText.newHere}{' '}
        <Link to={withEmail('/auth/sign-up', null, search)}>{authText.toSignUp}</Link>
      </Aside>
      <Aside>
        <Link to="/join">{authText.toJoin}</Link>
      </Aside>
    </AuthLayout>
  )
}

/**
 * Handles a refused external sign-in (`?refused=code`): shows the reason once and removes it from the
 * URL.
 */
function useRefusedReturn() {
  const toasts = useToasts()
  const [search, setSearch] = useSearchParams()
  const code = search.get('refused')
  const showRefusal = useEffectEvent((refused: string) => {
    toasts.error(appText.error, sentenceOf(refused), 'sign-in')
    const rest = new URLSearchParams(search)
    rest.delete('refused')
    setSearch(rest, { replace: true })
  })
  useEffect(() => {
    if (code !== null) showRefusal(code)
  }, [code])
}

/**
 * Signs in with a passkey that the browser finds for this site; the guard of the screen then redirects. Shown only
 * where the browser supports passkeys.
 */
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
