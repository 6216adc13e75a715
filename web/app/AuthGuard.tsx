import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router'
import { loginQuery } from '#web/api/loginQuery.ts'
import { safeNext } from './nextPath.ts'
import { Starting } from './Starting.tsx'

interface Props {
  /** Begins to load the code of an address that will be opened soon. */
  preload: (pathname: string) => void
}

/** Screens for those who are not signed in. Who is, or has just become so, goes on to where they wanted. */
export function AuthGuard({ preload }: Props) {
  const { data, isPending } = useQuery(loginQuery)
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const next = safeNext(search.get('next'), location.origin) ?? '/teams'
  useEffect(() => {
    // Whoever has a code in hand is about to go on.
    if (pathname === '/auth/confirm-otp') preload(next)
  }, [pathname, next, preload])
  if (isPending) return <Starting />
  if (data?.login && !data.login.user.isAnonymous) {
    return <Navigate to={next} replace />
  }
  return <Outlet />
}
