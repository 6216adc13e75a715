import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Invitation } from '#contract/invitations.ts'
import { command } from '#web/api/call.ts'
import { patchList, withoutItem } from '#web/api/patchList.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { invitationsQuery } from '#web/api/teamQueries.ts'
import { appText } from '#web/text/app.ts'
import { teamsText } from '#web/text/teams.ts'
import { Button } from '#web/ui/Button.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { useAccept } from './useAccept.ts'

/** Invitations of this user, to accept or decline. Renders nothing if there are none. */
export function InvitationRows() {
  const query = useQuery(invitationsQuery)
  const { data: invitations } = query
  if (!invitations) return <NotLoaded query={query} failed={teamsText.invitationsFailed} />
  if (invitations.length === 0) return null
  return (
    <section aria-labelledby="invitations">
      <SectionHead id="invitations" title={teamsText.invitations} />
      <Rows labelledBy="invitations">
        {invitations.map(invitation => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </Rows>
    </section>
  )
}

function InvitationRow({ invitation: { id, teamName, invitedBy } }: { invitation: Invitation }) {
  const client = useQueryClient()
  const toasts = useToasts()
  // The invitation may have been withdrawn in between.
  const onFailed = () => client.invalidateQueries({ queryKey: invitationsQuery.queryKey })
  const accept = useAccept({
    onError: reason => {
      toasts.error(teamsText.answerFailed, refusalText(reason), teamsText.answerFailed)
      void onFailed()
    },
  })
  const decline = useCommand({
    failed: teamsText.answerFailed,
    onFailed,
    send: () => command('teams.decline', { invitationId: id }),
    onSuccess: () => {
      patchList(client, invitationsQuery.queryKey, list => withoutItem(list, id))
      toasts.success(appText.success, teamsText.declined(teamName))
    },
  })
  return (
    <Row
      plate={<ThreeLetterPlate name={teamName} quiet />}
      title={teamName}
      detail={invitedBy === null ? teamsText.invitedByMember : teamsText.invitedBy(invitedBy)}
      choices={
        <>
          <Button
            variant="quiet"
            aria-label={teamsText.declineTeam(teamName)}
            busy={decline.isPending}
            disabled={accept.isPending}
            onClick={() => decline.mutate()}
          >
            {teamsText.decline}
          </Button>
          <Button
            aria-label={teamsText.acceptTeam(teamName)}
            busy={accept.isPending}
            disabled={decline.isPending}
            onClick={() => accept.mutate(id)}
          >
            {teamsText.accept}
          </Button>
        </>
      }
    />
  )
}
