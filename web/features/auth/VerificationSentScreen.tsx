import { useSearchParams } from 'react-router'
import { en } from '#web/text/en.ts'
import gears from '#web/ui/gears.module.css'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { withEmail } from './authPaths.ts'

export function VerificationSentScreen() {
  usePageTitle(en.auth.sentPage)
  const [search] = useSearchParams()
  const sub = (
    <>
      {en.auth.sentBefore}{' '}
      <strong className={gears.strong}>{search.get('email') ?? en.auth.yourAddress}</strong>
      {en.auth.sentAfter}
    </>
  )
  return (
    <AuthLayout title={en.auth.sentTitle} sub={sub}>
      <LinkButton to={withEmail('/auth/sign-in', null, search)}>{en.auth.signIn}</LinkButton>
    </AuthLayout>
  )
}
