import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useLocation } from 'react-router'
import { loginQuery } from '#web/api/loginQuery.ts'
import { appText } from '#web/text/app.ts'
import { LogoPage } from '#web/ui/LogoPage.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { signInFor } from './nextPath.ts'
import { Starting } from './Starting.tsx'

/** Guards the screens for signed-in users. Other people sign in first and are redirected back. */
export function SignedInGuard() {
  const place = useLocation()
  const query = useQuery(loginQuery)
  const { data, error } = query
  if (data) return data.login ? <Outlet /> : <Navigate to={signInFor(place)} replace />
  if (!error) return <Starting />
  return (
    <LogoPage>
      <NotLoaded query={query} failed={appText.unreachableTitle} whole />
    </LogoPage>
  )
}
