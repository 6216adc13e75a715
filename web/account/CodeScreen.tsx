import { useForm } from 'react-hook-form'
import { Link, useSearchParams } from 'react-router'
import { authText } from '#web/text/auth.ts'
import { Button } from '#web/ui/Button.tsx'
import { CodeField } from '#web/ui/CodeField.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { Aside, AuthLayout } from './AuthLayout.tsx'
import { withEmail } from './authPaths.ts'
import { SendNewCode } from './SendNewCode.tsx'
import { useVerifyCode } from './useVerifyCode.ts'

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
        {email ? authText.wrongAddress : authText.noEmailInAddress}{' '}
        <Link to={withEmail('/auth/sign-in', email, search)}>{authText.startAgain}</Link>
      </Aside>
    </AuthLayout>
  )
}
