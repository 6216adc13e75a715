import { useQueryClient } from '@tanstack/react-query'
import type { Team } from '#contract/teams.ts'
import { useMe } from '#web/api/login.ts'
import { patchList, replaceList, withItem, withoutItem } from '#web/api/patchList.ts'
import { teamsQuery } from '#web/api/queries.ts'
import { useRoom } from '#web/live/useLive.ts'

/** Keeps the team list as it is on the server: a new membership shows without reloading. */
export function useLiveTeams() {
  const client = useQueryClient()
  const { id } = useMe()
  useRoom(`user:${id}`, event => {
    if (event.t === 'snapshot' && event.snapshot.of === 'user') {
      replaceList(client, teamsQuery.queryKey, event.snapshot.teams)
    } else if (event.t === 'team-added') {
      patchList(client, teamsQuery.queryKey, teams => withItem(teams, event.team, byName))
    } else if (event.t === 'team-removed') {
      patchList(client, teamsQuery.queryKey, teams => withoutItem(teams, event.team))
    }
  })
}

function byName(a: Team, b: Team): number {
  return a.name.localeCompare(b.name)
}
