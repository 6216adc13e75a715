import { useSearchParams } from 'react-router'
import { authText } from '#web/text/auth.ts'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { withEmail } from './authPaths.ts'

export function VerificationSentScreen() {
  usePageTitle(authText.sentPage)
  const [search] = useSearchParams()
  const sub = (
    <>
      {authText.sentBefore}{' '}
      <strong className={typography.strong}>{search.get('email') ?? authText.yourAddress}</strong>
      {authText.sentAfter}
    </>
  )
  return (
    <AuthLayout title={authText.sentTitle} sub={sub}>
      <LinkButton to={withEmail('/auth/sign-in', null, search)}>{authText.signIn}</LinkButton>
    </AuthLayout>
  )
}
