import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { command } from '#web/api/call.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { recordSignIn } from '#web/api/justSignedIn.ts'
import { setLogin } from '#web/api/login.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { authText } from '#web/text/auth.ts'
import { Button } from '#web/ui/Button.tsx'
import { CodeField } from '#web/ui/CodeField.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { Aside, AuthLayout } from './AuthLayout.tsx'
import { attachIn, withEmail } from './authPaths.ts'

/**
 * Entry of the code from the email. Without an email address in the URL there is nothing to verify.
 */
export function CodeScreen() {
  usePageTitle(authText.codePage)
  const [search] = useSearchParams()
  const email = search.get('email')
  const { register, handleSubmit, formState } = useForm({ defaultValues: { code: '' } })
  const verify = useVerifyCode()
  function submit({ code }: { code: string }) {
    if (email) verify.mutate({ email, code })
  }
  return (
    <AuthLayout title={authText.codeTitle} sub={authText.codeSub}>
      <form noValidate onSubmit={event => void handleSubmit(submit)(event)}>
        <Stack>
          <CodeField
            {...register('code', { required: true })}
            label={authText.code}
            digits={6}
            readOnly={verify.isPending}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do here, and phones offer the code
            autoFocus
          />
          <Button type="submit" disabled={!formState.isValid} busy={verify.isPending}>
            {authText.complete}
          </Button>
        </Stack>
      </form>
      {email && <SendNewCode email={email} />}
      <Aside>
        {email ? authText.codeSentTo(email) : authText.noEmailInAddress}{' '}
        <Link to={withEmail('/auth/sign-in', email, search)}>{authText.startAgain}</Link>
      </Aside>
    </AuthLayout>
  )
}

/** Requests another code, when no email arrived or the code has expired. */
function SendNewCode({ email }: { email: string }) {
  const toasts = useToasts()
  const send = useCommand({
    send: () => command('auth.sendCode', { email }),
    failed: authText.newCodeFailed,
    onSuccess: () => toasts.success(authText.newCodeTitle, authText.newCodeSent(email)),
  })
  return (
    <Aside>
      {authText.codeNotThere}{' '}
      <button
        type="button"
        aria-busy={send.isPending || undefined}
        onClick={() => !send.isPending && send.mutate()}
      >
        {authText.sendNewCode}
      </button>
    </Aside>
  )
}

/**
 * Signs in with a code; the guard of the sign-in screens then redirects. A refused code leads back to
 * the sign-in, while a transient error (no connection) leaves the screen open for a retry.
 */
function useVerifyCode() {
  const client = useQueryClient()
  const toasts = useToasts()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return useMutation({
    mutationFn: (input: { email: string; code: string }) =>
      command('auth.verifyCode', { ...input, ...attachIn(search) }),
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
