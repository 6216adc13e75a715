import Activity from 'lucide-react/icons/activity'
import QrCode from 'lucide-react/icons/qr-code'
import { useEffect, useEffectEvent } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useSearchParams } from 'react-router'
import { sentenceOf } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { authText } from '#web/text/auth.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmailField } from '#web/ui/Field.tsx'
import { isEmail } from '#web/ui/isEmail.ts'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { AfterQuestion } from './AfterQuestion.tsx'
import { Aside, AuthLayout } from './AuthLayout.tsx'
import { withEmail } from './authPaths.ts'
import { OtherWays } from './OtherWays.tsx'
import styles from './SignInScreen.module.css'
import { useInvitedTo } from './useInvitedTo.ts'
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
  const invitedTo = useInvitedTo()
  return (
    <AuthLayout title={authText.signInTitle} sub={invitedTo} intro={<Intro />}>
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
          <OtherWays withPasskey />
        </Stack>
      </form>
      <Aside>
        {authText.newHere}{' '}
        <Link to={withEmail('/auth/sign-up', search.get('email'), search)}>
          {authText.toSignUp}
        </Link>
      </Aside>
      <div className={styles.ways}>
        <Rows label={authText.otherWays}>
          <Row to="/join" plate={<QrCode aria-hidden />} title={authText.toJoin} />
          <Row to="/check" plate={<Activity aria-hidden />} title={authText.toCheck} />
        </Rows>
      </div>
    </AuthLayout>
  )
}

/** A sentence that introduces the app, below a picture of it. On wide screens the poster replaces the picture. */
function Intro() {
  return (
    <div className={styles.intro}>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here, not a picture file */}
      <div className={styles.board} role="img" aria-label={authText.picture}>
        <div className={styles.stage}>
          <span>{authText.pictureWord}</span>
        </div>
        <div className={styles.receipt}>
          <div className={styles.sectors}>
            <i data-done />
            <i data-done />
            <i />
          </div>
          <svg viewBox="0 0 24 24" width={22} height={22} aria-hidden>
            <path d="M20 6 9 17l-5-5" />
          </svg>
          {authText.pictureReceipt}
        </div>
      </div>
      <p className={styles.claim}>{authText.claim}</p>
    </div>
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
