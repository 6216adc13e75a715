import { useQuery } from '@tanstack/react-query'
import { History, QrCode, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import { logoName } from '#contract/shared/fileRules.ts'
import type { Team } from '#contract/teams.ts'
import { TeamPage } from '#web/account/TeamPage.tsx'
import { useMe } from '#web/api/login.ts'
import { logoUrl } from '#web/api/pictures.ts'
import { teamQuery } from '#web/api/queries.ts'
import { joinText } from '#web/text/join.ts'
import { membersText } from '#web/text/members.ts'
import { teamsText } from '#web/text/teams.ts'
import { ActionButton, ActionCard } from '#web/ui/ActionCard.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { DeleteTeam } from './DeleteTeam.tsx'
import { JoinRequests } from './JoinRequests.tsx'
import { LeaveTeam } from './LeaveTeam.tsx'
import { MemberRows } from './MemberRows.tsx'
import styles from './MembersScreen.module.css'
import { PictureDialog } from './PictureDialog.tsx'
import { RenameTeam } from './RenameTeam.tsx'
import { useLiveMembers } from './useLiveMembers.ts'

export function MembersScreen() {
  const { teamId = '' } = useParams()
  const query = useQuery(teamQuery(teamId))
  const { data: team } = query
  const { id: me } = useMe()
  useLiveMembers(teamId)
  return (
    <TeamPage page={membersText.title}>
      <div className={styles.parts}>
        {!team && <NotLoaded query={query} failed={teamsText.failed} />}
        {team?.role === 'member' && <JoinRequests teamId={teamId} />}
        {team?.role === 'viewer' ? (
          <p>{membersText.viewOnly}</p>
        ) : (
          <div className={styles.cards}>
            <ActionCard
              to={`/teams/${teamId}/members/code`}
              icon={<QrCode aria-hidden />}
              lead={joinText.cardTitle}
            >
              {joinText.cardText}
            </ActionCard>
            <ActionCard
              to={`/teams/${teamId}/members/invite`}
              icon={<UserPlus aria-hidden />}
              lead={membersText.invite}
            >
              {membersText.inviteText}
            </ActionCard>
            {team ? <TeamLogo team={team} /> : !query.error && <WaitingTeamLogo />}
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
            <ActionCard
              to={`/teams/${teamId}/history`}
              icon={<History aria-hidden />}
              lead={membersText.history}
            >
              {membersText.historyText}
            </ActionCard>
            <div className={styles.leave}>
              <LeaveTeam team={team} />
              {team.ownerId === me && <DeleteTeam team={team} />}
            </div>
          </div>
        )}
      </div>
    </TeamPage>
  )
}

/** Placeholder of the same size while the team is loading. */
function WaitingTeamLogo() {
  return (
    <ActionButton icon={<Skeleton widthPx={52} heightPx={40} />} lead={membersText.logo}>
      {membersText.logoText}
    </ActionButton>
  )
}

/** The team's logo. Every member can change it. */
function TeamLogo({ team }: { team: Team }) {
  const [open, setOpen] = useState(false)
  const logo = logoUrl(team)
  return (
    <>
      <ActionButton
        icon={<ThreeLetterPlate name={team.name} picture={logo} />}
        lead={membersText.logo}
        onAct={() => setOpen(true)}
      >
        {membersText.logoText}
      </ActionButton>
      {open && (
        <PictureDialog
          title={membersText.logo}
          text={membersText.logoShown}
          file={{ teamId: team.id, name: logoName }}
          plate={{ name: team.name }}
          current={logo}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
