import { useEffect } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { recordSignIn } from '#web/api/justSignedIn.ts'
import { safeNext } from './nextPath.ts'

/**
 * Landing page of the external sign-in: redirects to the screen the person asked for, or to the team
 * list.
 */
export function Landing() {
  const [search] = useSearchParams()
  useEffect(recordSignIn, [])
  return <Navigate to={safeNext(search.get('next'), location.origin) ?? '/teams'} replace />
}
