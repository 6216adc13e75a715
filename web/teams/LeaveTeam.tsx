import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { Team } from '#contract/teams.ts'
import { command } from '#web/api/call.ts'
import { patchList, withoutItem } from '#web/api/patchList.ts'
import { deletedTeamsQuery, membersQuery, teamsQuery } from '#web/api/teamQueries.ts'
import { appText } from '#web/text/app.ts'
import { membersText } from '#web/text/members.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { useConfirmation } from '#web/ui/useConfirmation.ts'

/** Lets this user leave the team, after a confirmation. With its last member the team is deleted. */
export function LeaveTeam({ team }: { team: Team }) {
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
