import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Outlet, useLocation, useSearchParams } from 'react-router'
import { loginQuery } from '#web/api/loginQuery.ts'
import { Redirect } from '#web/ui/Redirect.tsx'
import { safeNext } from './nextPath.ts'
import { Starting } from './Starting.tsx'

interface Props {
  /** Starts loading the code of the next screen. */
  preload: (pathname: string) => void
}

/**
 * Guards the screens for signed-out people. Signed-in people are redirected to the screen they asked
 * for.
 */
export function AuthGuard({ preload }: Props) {
  const { data, isPending } = useQuery(loginQuery)
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const next = safeNext(search.get('next'), location.origin) ?? '/teams'
  useEffect(() => {
    // Entering the code leads straight to the next screen.
    if (pathname === '/auth/confirm-otp') preload(next)
  }, [pathname, next, preload])
  if (isPending) return <Starting />
  if (data?.login?.user.kind === 'account') return <Redirect to={next} />
  return <Outlet />
}
