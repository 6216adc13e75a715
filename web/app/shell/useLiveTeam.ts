import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useChannel } from '#web/live/LiveProvider.tsx'

/** Fetches the shown data of a team again when its name, owner, roles or files change. */
export function useLiveTeam() {
  const client = useQueryClient()
  const channel = useChannel()
  useEffect(
    () =>
      channel.onTeamChanged(teamId => {
        // Every query of a team has its id as the second part of its key.
        void client.invalidateQueries({
          predicate: ({ queryKey }) => queryKey[0] === 'teams.list' || queryKey[1] === teamId,
        })
      }),
    [client, channel],
  )
}
