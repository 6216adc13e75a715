import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeletedTeam } from '#contract/teams.ts'
import { command } from '#web/api/call.ts'
import { useMe } from '#web/api/login.ts'
import { patchList, withoutItem } from '#web/api/patchList.ts'
import { deletedTeamsQuery, teamsQuery } from '#web/api/teamQueries.ts'
import { useRoom } from '#web/live/useLive.ts'
import { appText } from '#web/text/app.ts'
import { teamsText } from '#web/text/teams.ts'
import { Button } from '#web/ui/Button.tsx'
import { dayAndTime } from '#web/ui/dates.ts'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'

/** Deleted teams that this user, their owner, can restore. Renders nothing if there are none. */
export function DeletedTeamRows() {
  const client = useQueryClient()
  const { id } = useMe()
  const { data: deleted } = useQuery(deletedTeamsQuery)
  useRoom(`user:${id}`, ({ t }) => {
    // Another page of this user may have deleted or restored a team.
    if (t === 'team-removed' || t === 'team-added')
      void client.invalidateQueries({ queryKey: deletedTeamsQuery.queryKey })
  })
  if (!deleted?.length) return null
  return (
    <section aria-labelledby="deleted-teams">
      <SectionHead id="deleted-teams" title={teamsText.deletedTeams} />
      <Rows labelledBy="deleted-teams">
        {deleted.map(team => (
          <DeletedTeamRow key={team.id} team={team} />
        ))}
      </Rows>
    </section>
  )
}

function DeletedTeamRow({ team: { id, name, restorableUntil } }: { team: DeletedTeam }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const restore = useCommand({
    send: () => command('teams.restore', { teamId: id }),
    failed: teamsText.restoreFailed,
    onSuccess: () => {
      patchList(client, deletedTeamsQuery.queryKey, list => withoutItem(list, id))
      void client.invalidateQueries({ queryKey: teamsQuery.queryKey })
      toasts.success(appText.success, teamsText.restored(name))
    },
    // Restored on another page, or its 7 days are over.
    onFailed: () => client.invalidateQueries({ queryKey: deletedTeamsQuery.queryKey }),
  })
  return (
    <Row
      plate={<ThreeLetterPlate name={name} quiet />}
      title={name}
      detail={teamsText.restorableUntil(dayAndTime.format(restorableUntil))}
      choices={
        <Button
          variant="quiet"
          aria-label={teamsText.restoreTeam(name)}
          busy={restore.isPending}
          onClick={() => restore.mutate()}
        >
          {teamsText.restore}
        </Button>
      }
    />
  )
}
