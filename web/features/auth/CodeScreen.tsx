import { useForm } from 'react-hook-form'
import { Link, useSearchParams } from 'react-router'
import { en } from '#web/text/en.ts'
import { Button } from '#web/ui/Button.tsx'
import { CodeField } from '#web/ui/CodeField.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { Aside, AuthLayout } from './AuthLayout.tsx'
import { withEmail } from './authPaths.ts'
import { SendNewCode } from './SendNewCode.tsx'
import { useVerifyCode } from './useVerifyCode.ts'

/** The code from the email. Without an address in the page's own address there is nothing to verify. */
export function CodeScreen() {
  usePageTitle(en.auth.codePage)
  const [search] = useSearchParams()
  const email = search.get('email')
  const { register, handleSubmit, formState } = useForm({ defaultValues: { code: '' } })
  const verify = useVerifyCode()
  function submit({ code }: { code: string }) {
    if (email) verify.mutate({ email, code })
  }
  return (
    <AuthLayout title={en.auth.codeTitle} sub={en.auth.codeSub}>
      <form noValidate onSubmit={event => void handleSubmit(submit)(event)}>
        <Stack>
          <CodeField
            {...register('code', { required: true })}
            label={en.auth.code}
            digits={6}
            readOnly={verify.isPending}
            // The one thing to do here, and the phone's keyboard offers the code for it.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
          />
          <Button type="submit" disabled={!formState.isValid} busy={verify.isPending}>
            {en.auth.complete}
          </Button>
        </Stack>
      </form>
      {email && <SendNewCode email={email} />}
      <Aside>
        {email ? en.auth.wrongAddress : en.auth.noEmailInAddress}{' '}
        <Link to={withEmail('/auth/sign-in', email, search)}>{en.auth.startAgain}</Link>
      </Aside>
    </AuthLayout>
  )
}
