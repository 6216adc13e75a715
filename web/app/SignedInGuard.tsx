import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useLocation } from 'react-router'
import { loginQuery } from '#web/api/loginQuery.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { Bar, BarLogo } from '#web/ui/Bar.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { Wrap } from '#web/ui/Wrap.tsx'
import { signInFor } from './nextPath.ts'
import { Starting } from './Starting.tsx'

/** Guards the screens for signed-in users. Other people sign in first and are redirected back. */
export function SignedInGuard() {
  const place = useLocation()
  const { data, error, isFetching, refetch } = useQuery(loginQuery)
  if (data) return data.login ? <Outlet /> : <Navigate to={signInFor(place)} replace />
  if (!error) return <Starting />
  return (
    <>
      <Bar>
        <BarLogo />
      </Bar>
      <Wrap>
        <LoadFailed
          title={appText.unreachableTitle}
          whole
          message={refusalText(error)}
          retryLabel={appText.tryAgain}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      </Wrap>
    </>
  )
}
