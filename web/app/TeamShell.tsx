import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useParams } from 'react-router'
import { CallRefused } from '#web/api/callRefused.ts'
import { teamQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useActiveTeam } from '#web/api/useActiveTeam.ts'
import { appText } from '#web/text/app.ts'
import { teamsText } from '#web/text/teams.ts'
import { Bar, LogoLink } from '#web/ui/Bar.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Wrap } from '#web/ui/Wrap.tsx'
import { isId } from './isId.ts'

/** What surrounds the screens of one team. An address that cannot be a team's leads to the list. */
export function TeamShell() {
  const { teamId = '', sessionId } = useParams()
  const possible = isId(teamId) && (sessionId === undefined || isId(sessionId))
  return possible ? <Team teamId={teamId} /> : <Navigate to="/teams" replace />
}

function Team({ teamId }: { teamId: string }) {
  const { error } = useQuery(teamQuery(teamId))
  useActiveTeam(teamId)
  // What may pass is shown by the screen, beside what it has.
  return isClosed(error) ? <NotYours sentence={refusalText(error)} /> : <Outlet />
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

function NotYours({ sentence }: { sentence: string }) {
  usePageTitle(teamsText.notYours)
  return (
    <>
      <Bar>
        <LogoLink to="/teams" label={appText.home} />
      </Bar>
      <Wrap>
        <PageHead title={teamsText.notYours} sub={sentence} />
        <LinkButton to="/teams">{appText.toTeams}</LinkButton>
      </Wrap>
    </>
  )
}
