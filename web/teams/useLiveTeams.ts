import { useQueryClient } from '@tanstack/react-query'
import type { Invitation } from '#contract/invitations.ts'
import type { Team } from '#contract/teams.ts'
import { useMe } from '#web/api/login.ts'
import { patchList, replaceList, withItem, withoutItem } from '#web/api/patchList.ts'
import { invitationsQuery, teamsQuery } from '#web/api/teamQueries.ts'
import { useRoom } from '#web/live/useLive.ts'

/** Keeps the cached teams and invitations of this user up to date by events. */
export function useLiveTeams() {
  const client = useQueryClient()
  const { id } = useMe()
  useRoom(`user:${id}`, event => {
    if (event.t === 'snapshot' && event.snapshot.of === 'user') {
      replaceList(client, teamsQuery.queryKey, event.snapshot.teams)
      replaceList(client, invitationsQuery.queryKey, event.snapshot.invitations)
    } else if (event.t === 'team-added') {
      patchList(client, teamsQuery.queryKey, teams => withItem(teams, event.team, byName))
    } else if (event.t === 'team-removed') {
      patchList(client, teamsQuery.queryKey, teams => withoutItem(teams, event.team))
    } else if (event.t === 'invitation-added') {
      patchList(client, invitationsQuery.queryKey, list =>
        withItem(list, event.invitation, newestFirst),
      )
    } else if (event.t === 'invitation-removed') {
      patchList(client, invitationsQuery.queryKey, list => withoutItem(list, event.invitation))
    }
  })
}

function byName(a: Team, b: Team): number {
  return a.name.localeCompare(b.name)
}

function newestFirst(a: Invitation, b: Invitation): number {
  return b.expiresAt - a.expiresAt
}
