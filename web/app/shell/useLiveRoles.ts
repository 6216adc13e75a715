import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { teamQuery } from '#web/api/queries.ts'
import { teamsQuery } from '#web/api/teamQueries.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'

/** Fetches a team again when this user's role in it changes, or its owner. */
export function useLiveRoles() {
  const client = useQueryClient()
  const channel = useChannel()
  useEffect(
    () =>
      channel.onMemberChanged(team => {
        void client.invalidateQueries({ queryKey: teamQuery(team).queryKey })
        void client.invalidateQueries({ queryKey: teamsQuery.queryKey })
      }),
    [client, channel],
  )
}
