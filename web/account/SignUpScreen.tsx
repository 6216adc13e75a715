import { useForm } from 'react-hook-form'
import { Link, useSearchParams } from 'react-router'
import { authText } from '#web/text/auth.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmailField, Field } from '#web/ui/Field.tsx'
import { FieldPair } from '#web/ui/FieldPair.tsx'
import { isEmail } from '#web/ui/isEmail.ts'
import { required } from '#web/ui/required.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { AfterQuestion } from './AfterQuestion.tsx'
import { Aside, AuthLayout } from './AuthLayout.tsx'
import { withEmail } from './authPaths.ts'
import { OtherWays } from './OtherWays.tsx'
import { useInvitedTo } from './useInvitedTo.ts'
import { useSendCode } from './useSendCode.ts'

export function SignUpScreen() {
  return (
    <AfterQuestion>
      <SignUpForm />
    </AfterQuestion>
  )
}

function SignUpForm() {
  usePageTitle(authText.signUpPage)
  const [search] = useSearchParams()
  const { register, handleSubmit, formState, setError } = useForm({
    mode: 'onTouched',
    defaultValues: { firstName: '', lastName: '', email: search.get('email') ?? '' },
  })
  const { errors } = formState
  const sendCode = useSendCode(setError, ['firstName', 'lastName', 'email'])
  const invitedTo = useInvitedTo()
  return (
    <AuthLayout title={authText.signUpTitle} sub={invitedTo}>
      <form noValidate onSubmit={event => void handleSubmit(it => sendCode.mutate(it))(event)}>
        <Stack>
          <FieldPair>
            <Field
              {...register('firstName', required(authText.firstNameMissing))}
              label={authText.firstName}
              error={errors.firstName?.message}
              autoComplete="given-name"
            />
            <Field
              {...register('lastName', required(authText.lastNameMissing))}
              label={authText.lastName}
              error={errors.lastName?.message}
              autoComplete="family-name"
            />
          </FieldPair>
          <EmailField
            {...register('email', {
              validate: text => isEmail(text) || authText.emailIncomplete,
            })}
            label={authText.email}
            error={errors.email?.message}
            placeholder={authText.emailExample}
          />
          <Button type="submit" disabled={!formState.isValid} busy={sendCode.isPending}>
            {authText.signUp}
          </Button>
          <OtherWays />
        </Stack>
      </form>
      <Aside>
        {authText.haveAccount}{' '}
        <Link to={withEmail('/auth/sign-in', null, search)}>{authText.toSignIn}</Link>
      </Aside>
    </AuthLayout>
  )
}
