import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { logoUrl } from '#web/api/pictures.ts'
import { refusalText } from '#web/api/refusals/refusalText.ts'
import { invitationsQuery, teamsQuery } from '#web/api/teamQueries.ts'
import { appText } from '#web/text/app.ts'
import { teamsText } from '#web/text/teams.ts'
import { LinkButton } from '#web/ui/buttons/LinkButton.tsx'
import { ThreeLetterPlate } from '#web/ui/identity/ThreeLetterPlate.tsx'
import { Bar, BarGap, LogoLink } from '#web/ui/layout/Bar.tsx'
import { PageHead } from '#web/ui/layout/PageHead.tsx'
import { Row, Rows } from '#web/ui/layout/Rows.tsx'
import { usePageTitle } from '#web/ui/layout/usePageTitle.ts'
import { Stack, Wrap } from '#web/ui/layout/Wrap.tsx'
import { Empty } from '#web/ui/notices/Empty.tsx'
import { LoadFailed } from '#web/ui/notices/LoadFailed.tsx'
import { SkeletonRows } from '#web/ui/notices/Skeleton.tsx'
import { DeletedTeamRows } from './DeletedTeamRows.tsx'
import { InvitationRows } from './InvitationRows.tsx'
import { useLiveTeams } from './useLiveTeams.ts'

interface Props {
  /** In the bar. */
  profile: ReactNode
  /** Below the list. */
  children?: ReactNode
}

/** The team list. */
export function TeamListScreen({ profile, children }: Props) {
  usePageTitle(teamsText.listTitle)
  useLiveTeams()
  return (
    <>
      <Bar>
        <LogoLink to="/teams" label={appText.home} />
        <BarGap />
        {profile}
      </Bar>
      <Wrap>
        <PageHead title={teamsText.listTitle} />
        <Stack>
          <InvitationRows />
          <TeamRows />
          <LinkButton variant="quiet" to="/teams/create">
            <Plus aria-hidden />
            {teamsText.add}
          </LinkButton>
          {children}
          <DeletedTeamRows />
        </Stack>
      </Wrap>
    </>
  )
}

function TeamRows() {
  const { data: teams, error, isFetching, refetch } = useQuery(teamsQuery)
  const invitations = useQuery(invitationsQuery)
  if (!teams && error) {
    return (
      <LoadFailed
        title={teamsText.listFailed}
        message={refusalText(error)}
        retryLabel={appText.tryAgain}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!teams || (teams.length === 0 && invitations.isPending)) {
    return <SkeletonRows label={teamsText.loadingList} />
  }
  // With an invitation above, the empty text would be wrong: it asks to wait for one.
  if (teams.length === 0 && invitations.data?.length) return null
  if (teams.length === 0) return <Empty title={teamsText.noTeams}>{teamsText.noTeamsText}</Empty>
  return (
    <Rows label={teamsText.teams}>
      {teams.map(team => (
        <Row
          key={team.id}
          to={`/teams/${team.id}`}
          plate={<ThreeLetterPlate name={team.name} picture={logoUrl(team)} />}
          title={team.name}
        />
      ))}
    </Rows>
  )
}
