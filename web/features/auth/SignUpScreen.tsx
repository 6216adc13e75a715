import { useForm } from 'react-hook-form'
import { Link, useSearchParams } from 'react-router'
import { en } from '#web/text/en.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FieldPair } from '#web/ui/FieldPair.tsx'
import { isEmail } from '#web/ui/isEmail.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { Aside, AuthLayout } from './AuthLayout.tsx'
import { withEmail } from './authPaths.ts'
import { GoogleButton } from './GoogleButton.tsx'
import { useSendCode } from './useSendCode.ts'

export function SignUpScreen() {
  usePageTitle(en.auth.signUpPage)
  const [search] = useSearchParams()
  const { register, handleSubmit, formState, setError } = useForm({
    mode: 'onTouched',
    defaultValues: { firstName: '', lastName: '', email: '' },
  })
  const { errors } = formState
  const sendCode = useSendCode(setError, ['firstName', 'lastName', 'email'])
  return (
    <AuthLayout title={en.auth.signUpTitle}>
      <form noValidate onSubmit={event => void handleSubmit(it => sendCode.mutate(it))(event)}>
        <Stack>
          <FieldPair>
            <Field
              {...register('firstName', {
                validate: text => text.trim() !== '' || en.auth.firstNameMissing,
              })}
              label={en.auth.firstName}
              error={errors.firstName?.message}
              autoComplete="given-name"
            />
            <Field
              {...register('lastName', {
                validate: text => text.trim() !== '' || en.auth.lastNameMissing,
              })}
              label={en.auth.lastName}
              error={errors.lastName?.message}
              autoComplete="family-name"
            />
          </FieldPair>
          <Field
            {...register('email', {
              validate: text => isEmail(text) || en.auth.emailIncomplete,
            })}
            label={en.auth.email}
            error={errors.email?.message}
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={en.auth.emailExample}
          />
          <Button type="submit" disabled={!formState.isValid} busy={sendCode.isPending}>
            {en.auth.signUp}
          </Button>
          <GoogleButton />
        </Stack>
      </form>
      <Aside>
        {en.auth.haveAccount}{' '}
        <Link to={withEmail('/auth/sign-in', null, search)}>{en.auth.toSignIn}</Link>
      </Aside>
    </AuthLayout>
  )
}
