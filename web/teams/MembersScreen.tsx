import { useQuery } from '@tanstack/react-query'
import { History, UserPlus } from 'lucide-react'
import { useParams } from 'react-router'
import { useMe } from '#web/api/login.ts'
import { teamQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { membersText } from '#web/text/members.ts'
import { teamsText } from '#web/text/teams.ts'
import { ActionCard } from '#web/ui/ActionCard.tsx'
import { BackLink, Bar } from '#web/ui/Bar.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { PageHead, SectionHead } from '#web/ui/PageHead.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Wrap } from '#web/ui/Wrap.tsx'
import { DeleteTeam } from './DeleteTeam.tsx'
import { LeaveTeam } from './LeaveTeam.tsx'
import { MemberRows } from './MemberRows.tsx'
import styles from './MembersScreen.module.css'
import { RenameTeam } from './RenameTeam.tsx'
import { TeamLogo, WaitingTeamLogo } from './TeamLogo.tsx'
import { useLiveMembers } from './useLiveMembers.ts'

export function MembersScreen() {
  usePageTitle(membersText.title)
  const { teamId = '' } = useParams()
  const { data: team, error, isFetching, refetch } = useQuery(teamQuery(teamId))
  const { id: me } = useMe()
  useLiveMembers(teamId)
  return (
    <>
      <Bar>
        <BackLink to={`/teams/${teamId}`} lead={appText.backTo}>
          {team?.name ?? teamsText.page}
        </BackLink>
      </Bar>
      <Wrap>
        <PageHead title={membersText.title} />
        <div className={styles.parts}>
          {!team && error && (
            <LoadFailed
              title={teamsText.failed}
              message={refusalText(error)}
              retryLabel={appText.tryAgain}
              retrying={isFetching}
              onRetry={() => void refetch()}
            />
          )}
          {team?.role === 'viewer' ? (
            <p>{membersText.viewOnly}</p>
          ) : (
            <div className={styles.cards}>
              <ActionCard to={`/teams/${teamId}/members/invite`} icon={<UserPlus aria-hidden />}>
                <b className={typography.lead}>{membersText.invite}</b>
                <span className={typography.dash}> - </span>
                {membersText.inviteText}
              </ActionCard>
              {team ? <TeamLogo team={team} /> : !error && <WaitingTeamLogo />}
            </div>
          )}
          <section aria-labelledby="members">
            <SectionHead id="members" title={membersText.heading} />
            <MemberRows teamId={teamId} />
          </section>
          {/* Below the list, which must not move when the team has loaded. */}
          {team && (
            <div className={styles.cards}>
              {team.ownerId === me && <RenameTeam team={team} />}
              <ActionCard to={`/teams/${teamId}/history`} icon={<History aria-hidden />}>
                <b className={typography.lead}>{membersText.history}</b>
                <span className={typography.dash}> - </span>
                {membersText.historyText}
              </ActionCard>
              <div className={styles.leave}>
                <LeaveTeam team={team} />
                {team.ownerId === me && <DeleteTeam team={team} />}
              </div>
            </div>
          )}
        </div>
      </Wrap>
    </>
  )
}
