import { useQueryClient } from '@tanstack/react-query'
import type { Person } from '#contract/users.ts'
import { patchList, replaceList, withItem, withoutItem } from '#web/api/patchList.ts'
import { membersQuery } from '#web/api/queries.ts'
import { useRoom } from '#web/live/useLive.ts'

/** Keeps a team's members as they are on the server: who comes or leaves shows without reloading. */
export function useLiveMembers(teamId: string) {
  const client = useQueryClient()
  const { queryKey } = membersQuery(teamId)
  useRoom(`team:${teamId}`, event => {
    if (event.t === 'snapshot' && event.snapshot.of === 'team') {
      replaceList(client, queryKey, event.snapshot.members)
    } else if (event.t === 'member-added') {
      patchList(client, queryKey, members => withItem(members, event.member, byLastName))
    } else if (event.t === 'member-removed') {
      patchList(client, queryKey, members => withoutItem(members, event.member))
    }
  })
}

function byLastName(a: Person, b: Person): number {
  return sortName(a).localeCompare(sortName(b))
}

function sortName({ lastName, firstName, email }: Person): string {
  return [lastName, firstName, email].filter(Boolean).join(' ')
}
