import { useQuery, useQueryClient } from '@tanstack/react-query'
import { History, Pencil, QrCode, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { logoName } from '#contract/shared/fileRules.ts'
import type { Team } from '#contract/teams.ts'
import { TeamPage } from '#web/account/TeamPage.tsx'
import { command } from '#web/api/call.ts'
import { useMe } from '#web/api/login.ts'
import { patchList, withoutItem } from '#web/api/patchList.ts'
import { logoUrl } from '#web/api/pictures.ts'
import { teamQuery } from '#web/api/queries.ts'
import { deletedTeamsQuery, membersQuery, teamsQuery } from '#web/api/teamQueries.ts'
import { appText } from '#web/text/app.ts'
import { joinText } from '#web/text/join.ts'
import { membersText } from '#web/text/members.ts'
import { teamsText } from '#web/text/teams.ts'
import { ActionButton, ActionCard } from '#web/ui/ActionCard.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { RenameDialog } from '#web/ui/RenameDialog.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { useConfirmation } from '#web/ui/useConfirmation.ts'
import { DeleteTeam } from './DeleteTeam.tsx'
import { JoinRequests } from './JoinRequests.tsx'
import { MemberRows } from './MemberRows.tsx'
import styles from './MembersScreen.module.css'
import { PictureDialog } from './PictureDialog.tsx'
import { useLiveMembers } from './useLiveMembers.ts'

export function MembersScreen() {
  const { teamId = '' } = useParams()
  const query = useQuery(teamQuery(teamId))
  const { data: team } = query
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
        {team && <TeamCards team={team} />}
      </div>
    </TeamPage>
  )
}

function TeamCards({ team }: { team: Team }) {
  const isOwner = useMe().id === team.ownerId
  return (
    <div className={styles.cards}>
      {isOwner && <RenameTeam team={team} />}
      <ActionCard
        to={`/teams/${team.id}/history`}
        icon={<History aria-hidden />}
        lead={membersText.history}
      >
        {membersText.historyText}
      </ActionCard>
      <div className={styles.leave}>
        <LeaveTeam team={team} />
        {isOwner && <DeleteTeam team={team} />}
      </div>
    </div>
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

/** Lets this user leave the team, after a confirmation. With its last member the team is deleted. */
function LeaveTeam({ team }: { team: Team }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const navigate = useNavigate()
  const { data: members } = useQuery(membersQuery(team.id))
  const isLast = members?.length === 1
  const leave = useCommand({
    send: () => command('teams.leave', { teamId: team.id }),
    failed: membersText.leaveFailed,
    onSuccess: async () => {
      patchList(client, teamsQuery.queryKey, teams => withoutItem(teams, team.id))
      void client.invalidateQueries({ queryKey: deletedTeamsQuery.queryKey })
      toasts.success(
        appText.success,
        isLast ? membersText.deleted(team.name) : membersText.left(team.name),
      )
      await navigate('/teams', { replace: true })
    },
  })
  const confirmation = useConfirmation(() => leave.mutate())
  return (
    <>
      <Button variant="danger" narrow busy={leave.isPending} onClick={confirmation.ask}>
        {membersText.leave}
      </Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={membersText.leaveTitle(team.name)}
        text={isLast ? membersText.leaveLastText : membersText.leaveText}
        cancelLabel={membersText.stay}
        confirmLabel={membersText.leave}
      />
    </>
  )
}

/** The owner's card to rename the team, with its dialog. */
function RenameTeam({ team }: { team: Team }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActionButton
        icon={<Pencil aria-hidden />}
        lead={membersText.rename}
        onAct={() => setOpen(true)}
      >
        {membersText.renameText}
      </ActionButton>
      {open && (
        <RenameDialog
          title={membersText.rename}
          label={teamsText.name}
          missing={teamsText.nameMissing}
          name={team.name}
          send={input => command('teams.rename', { teamId: team.id, ...input })}
          onRenamed={renamed => {
            client.setQueryData(teamQuery(team.id).queryKey, renamed)
            void client.invalidateQueries({ queryKey: teamsQuery.queryKey })
            toasts.success(appText.success, membersText.renamed(renamed.name))
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
