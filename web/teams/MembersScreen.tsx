import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { History, Pencil, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { Team } from '#contract/teams.ts'
import { command } from '#web/api/call.ts'
import { useMe } from '#web/api/login.ts'
import { patchList, withoutItem } from '#web/api/patchList.ts'
import { teamQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { deletedTeamsQuery, membersQuery, teamsQuery } from '#web/api/teamQueries.ts'
import { appText } from '#web/text/app.ts'
import { membersText } from '#web/text/members.ts'
import { teamsText } from '#web/text/teams.ts'
import { ActionButton, ActionCard } from '#web/ui/ActionCard.tsx'
import { BackLink, Bar } from '#web/ui/Bar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { PageHead, SectionHead } from '#web/ui/PageHead.tsx'
import { RenameDialog } from '#web/ui/RenameDialog.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { useConfirmation } from '#web/ui/useConfirmation.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Wrap } from '#web/ui/Wrap.tsx'
import { DeleteTeam } from './DeleteTeam.tsx'
import { MemberRows } from './MemberRows.tsx'
import styles from './MembersScreen.module.css'
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
            <NotLoaded query={{ error, isFetching, refetch }} failed={teamsText.failed} />
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

/** Lets this user leave the team, after a confirmation. With its last member the team is deleted. */
function LeaveTeam({ team }: { team: Team }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const navigate = useNavigate()
  const { data: members } = useQuery(membersQuery(team.id))
  const isLast = members?.length === 1
  const leave = useMutation({
    mutationFn: () => command('teams.leave', { teamId: team.id }),
    onMutate: () => toasts.dismiss('leave-team'),
    onSuccess: async () => {
      patchList(client, teamsQuery.queryKey, teams => withoutItem(teams, team.id))
      void client.invalidateQueries({ queryKey: deletedTeamsQuery.queryKey })
      toasts.success(
        appText.success,
        isLast ? membersText.deleted(team.name) : membersText.left(team.name),
      )
      await navigate('/teams', { replace: true })
    },
    onError: reason => toasts.error(membersText.leaveFailed, refusalText(reason), 'leave-team'),
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

/** The owner's card to rename the team, with its dialog, which stays open until the response. */
function RenameTeam({ team }: { team: Team }) {
  const [open, setOpen] = useState(false)
  const rename = useRename(team.id, () => setOpen(false))
  const { name, nameMissing } = teamsText
  const text = { ...membersText, title: membersText.rename, name, nameMissing }
  return (
    <>
      <ActionButton icon={<Pencil aria-hidden />} onAct={() => setOpen(true)}>
        <b className={typography.lead}>{membersText.rename}</b>
        <span className={typography.dash}> - </span>
        {membersText.renameText}
      </ActionButton>
      <RenameDialog
        name={team.name}
        text={text}
        rename={rename}
        open={open}
        onClose={() => setOpen(false)}
      />
    </>
  )
}

function useRename(teamId: string, onDone: () => void) {
  const client = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: (input: { name: string }) => command('teams.rename', { teamId, ...input }),
    onSuccess: team => {
      client.setQueryData(teamQuery(teamId).queryKey, team)
      void client.invalidateQueries({ queryKey: teamsQuery.queryKey })
      toasts.success(appText.success, membersText.renamed(team.name))
      onDone()
    },
  })
}
