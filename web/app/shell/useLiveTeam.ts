import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { teamQuery } from '#web/api/queries.ts'
import { filesQuery, teamsQuery } from '#web/api/teamQueries.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'

/** Fetches a team again when its name, owner or files change, or this user's role in it. */
export function useLiveTeam() {
  const client = useQueryClient()
  const channel = useChannel()
  useEffect(
    () =>
      channel.onTeamChanged(team => {
        for (const { queryKey } of [teamQuery(team), filesQuery(team), teamsQuery])
          void client.invalidateQueries({ queryKey })
      }),
    [client, channel],
  )
}
