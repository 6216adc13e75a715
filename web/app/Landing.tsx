import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { recordSignIn } from '#web/api/justSignedIn.ts'
import { Redirect } from '#web/ui/Redirect.tsx'
import { safeNext } from './nextPath.ts'

/**
 * Landing page of the external sign-in: redirects to the screen the person asked for, or to the team
 * list.
 */
export function Landing() {
  const [search] = useSearchParams()
  useEffect(recordSignIn, [])
  return <Redirect to={safeNext(search.get('next'), location.origin) ?? '/teams'} />
}
