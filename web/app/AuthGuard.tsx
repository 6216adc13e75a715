import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useSearchParams } from 'react-router'
import { loginQuery } from '#web/api/queries.ts'
import { safeNext } from './nextPath.ts'
import { Starting } from './Starting.tsx'

/** Screens for those who are not signed in. Who is, or has just become so, goes on to where they wanted. */
export function AuthGuard() {
  const { data, isPending } = useQuery(loginQuery)
  const [search] = useSearchParams()
  if (isPending) return <Starting />
  if (data?.login && !data.login.user.isAnonymous) {
    return <Navigate to={safeNext(search.get('next'), location.origin) ?? '/teams'} replace />
  }
  return <Outlet />
}
