import { useForm } from 'react-hook-form'
import { Link, useSearchParams } from 'react-router'
import { authText } from '#web/text/auth.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { isEmail } from '#web/ui/isEmail.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { Aside, AuthLayout } from './AuthLayout.tsx'
import { withEmail } from './authPaths.ts'
import { GoogleButton } from './GoogleButton.tsx'
import { PasskeyButton } from './PasskeyButton.tsx'
import { useRefusedReturn } from './useRefusedReturn.ts'
import { useSendCode } from './useSendCode.ts'

export function SignInScreen() {
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
          <Field
            {...register('email', {
              validate: text => isEmail(text) || authText.emailIncomplete,
            })}
            label={authText.email}
            error={formState.errors.email?.message}
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
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
    </AuthLayout>
  )
}
