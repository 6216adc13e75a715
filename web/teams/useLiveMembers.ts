import { useQueryClient } from '@tanstack/react-query'
import { patchList, replaceList, withItem, withoutItem } from '#web/api/patchList.ts'
import { teamQuery } from '#web/api/queries.ts'
import { invitedQuery, membersQuery } from '#web/api/teamQueries.ts'
import { useRoom } from '#web/live/useLive.ts'

/** Keeps the cached members and invitations of a team up to date by events. */
export function useLiveMembers(teamId: string) {
  const client = useQueryClient()
  const { queryKey } = membersQuery(teamId)
  const { queryKey: invitedKey } = invitedQuery(teamId)
  useRoom(`team:${teamId}`, event => {
    if (event.t === 'snapshot' && event.snapshot.of === 'team') {
      replaceList(client, queryKey, event.snapshot.members)
      replaceList(client, invitedKey, event.snapshot.invited)
    } else if (event.t === 'member-added') {
      patchList(client, queryKey, members => withItem(members, event.member, byLastName))
    } else if (event.t === 'member-changed') {
      patchList(client, queryKey, members => withItem(members, event.member, byLastName))
    } else if (event.t === 'member-removed') {
      patchList(client, queryKey, members => withoutItem(members, event.member))
    } else if (event.t === 'team-removed' || event.t === 'refused') {
      // The refetch is refused, and TeamShell shows that the user has left the team.
      void client.invalidateQueries({ queryKey: teamQuery(teamId).queryKey })
    } else if (event.t === 'invited-added') {
      patchList(client, invitedKey, list => withItem(list, event.invited, byLastName))
    } else if (event.t === 'invited-removed') {
      patchList(client, invitedKey, list => withoutItem(list, event.invited))
    }
  })
}

interface Named {
  firstName: string | null
  lastName: string | null
  email: string | null
}

function byLastName(a: Named, b: Named): number {
  return sortName(a).localeCompare(sortName(b))
}

function sortName({ lastName, firstName, email }: Named): string {
  return [lastName, firstName, email].filter(Boolean).join(' ')
}
