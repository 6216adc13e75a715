import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Navigate, Outlet, useParams } from 'react-router'
import { CallRefused } from '#web/api/callRefused.ts'
import { teamQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useActiveTeam } from '#web/api/useActiveTeam.ts'
import { isId } from './isId.ts'

// Rarely seen: its parts and texts would burden each screen's first load.
const NotYours = lazy(async () => ({ default: (await import('./NotYours.tsx')).NotYours }))

/** What surrounds the screens of one team. An address that cannot be a team's leads to the list. */
export function TeamShell() {
  const { teamId = '', sessionId } = useParams()
  const possible = isId(teamId) && (sessionId === undefined || isId(sessionId))
  return possible ? <Team teamId={teamId} /> : <Navigate to="/teams" replace />
}

function Team({ teamId }: { teamId: string }) {
  const { data, error } = useQuery(teamQuery(teamId))
  useActiveTeam(teamId)
  // What may pass is shown by the screen, beside what it has.
  if (!isClosed(error)) return <Outlet />
  return (
    <Suspense>
      <NotYours sentence={data ? null : refusalText(error)} />
    </Suspense>
  )
}

/** Whether trying again is no use: there is no such team, or not for this user. */
function isClosed(reason: unknown): boolean {
  return (
    reason instanceof CallRefused &&
    (reason.code === 'not-a-member' ||
      reason.code === 'not-found' ||
      reason.code === 'invalid-input')
  )
}
