import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { setMe } from '#web/api/login.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'

/** Queries whose changes are published only as `team-changed`. */
const teamCalls = ['teams.list', 'teams.get', 'files.list', 'sessions.get', 'messages.log']

/**
 * Keeps the signed-in user up to date, and fetches the shown data of a team again when its name, owner, roles,
 * files or the name of a member change, or may have changed unnoticed, such as without a connection.
 */
export function useLiveAccount() {
  const client = useQueryClient()
  const channel = useChannel()
  useEffect(
    () =>
      channel.onAccountEvent(event => {
        if (event.t === 'user-changed') return setMe(client, event.user)
        // The second part of a query's key is the team's id in queries of a team, but not in queries of a session.
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
  useEffect(() => {
    const fetchAgain = () => {
      if (channel.connectionState.status !== 'open') return
      void client.invalidateQueries({
        predicate: ({ queryKey: [call] }) => teamCalls.includes(String(call)),
      })
    }
    // Events of a connection that opened before this code was loaded were missed too.
    fetchAgain()
    return channel.onConnectionState(fetchAgain)
  }, [client, channel])
}
