import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { setMe } from '#web/api/login/login.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'

/**
 * Keeps the signed-in user up to date, and fetches the shown data of a team again when its name, owner, roles,
 * files or the name of a member change.
 */
export function useLiveAccount() {
  const client = useQueryClient()
  const channel = useChannel()
  useEffect(
    () =>
      channel.onAccountEvent(event => {
        if (event.t === 'user-changed') return setMe(client, event.user)
        // Every query of a team has its id as the second part of its key, those of a session do not.
        void client.invalidateQueries({
          predicate: ({ queryKey: [call, id] }) =>
            id === event.team ||
            call === 'teams.list' ||
            call === 'sessions.get' ||
            call === 'messages.log',
        })
      }),
    [client, channel],
  )
}
