import { Navigate, useSearchParams } from 'react-router'
import { safeNext } from './nextPath.ts'

/** Where the external sign-in lands: it leads on to where one wanted to go, or to the team list. */
export function Landing() {
  const [search] = useSearchParams()
  return <Navigate to={safeNext(search.get('next'), location.origin) ?? '/teams'} replace />
}
