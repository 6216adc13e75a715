import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useParams } from 'react-router'
import { CallRefused } from '#web/api/callRefused.ts'
import { teamQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useActiveTeam } from '#web/api/useActiveTeam.ts'
import { en } from '#web/text/en.ts'
import { BackLink, Bar } from '#web/ui/Bar.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { Wrap } from '#web/ui/Wrap.tsx'
import { isId } from './isId.ts'

/** What surrounds the screens of one team. An address that cannot be a team's leads to the list. */
export function TeamShell() {
  const { teamId = '', sessionId } = useParams()
  const possible = isId(teamId) && (sessionId === undefined || isId(sessionId))
  return possible ? <Team teamId={teamId} /> : <Navigate to="/teams" replace />
}

function Team({ teamId }: { teamId: string }) {
  const { error, isFetching, refetch } = useQuery(teamQuery(teamId))
  useActiveTeam(teamId)
  if (!(error instanceof CallRefused) || error.isPassing) return <Outlet />
  return (
    <>
      <Bar>
        <BackLink to="/teams">{en.teams.teams}</BackLink>
      </Bar>
      <Wrap>
        <LoadFailed
          title={en.teams.failed}
          message={refusalText(error)}
          retryLabel={en.app.tryAgain}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      </Wrap>
    </>
  )
}
