import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Outlet, useParams } from 'react-router'
import { CallRefused } from '#web/api/callRefused.ts'
import { teamQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { Redirect } from '#web/ui/Redirect.tsx'
import { isId } from './isId.ts'

// Rarely shown: it would add to what the drive screen loads first.
const NotYours = lazy(async () => ({ default: (await import('./NotYours.tsx')).NotYours }))

/** Wraps the screens of one team. A URL whose id is malformed redirects to the list. */
export function TeamShell() {
  const { teamId = '', sessionId } = useParams()
  const possible = isId(teamId) && (sessionId === undefined || isId(sessionId))
  return possible ? <Team teamId={teamId} /> : <Redirect to="/teams" />
}

function Team({ teamId }: { teamId: string }) {
  const { data, error } = useQuery(teamQuery(teamId))
  // The screen itself shows transient errors, next to its cached data.
  if (!(error instanceof CallRefused && error.isInaccessible)) return <Outlet />
  return (
    <Suspense>
      <NotYours sentence={data ? null : refusalText(error)} />
    </Suspense>
  )
}
