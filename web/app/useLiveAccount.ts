import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { setMe } from '#web/api/login.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'

/** Calls that return a team, its name, its files or names of its members. Only `team-changed` reports changes of these. */
const teamCalls = ['teams.list', 'teams.get', 'files.list', 'sessions.get', 'messages.log']

/** The `teamCalls` whose query key contains no team: they are fetched again whichever team has changed. */
const callsWithoutTeam = ['teams.list', 'sessions.get', 'messages.log']

/**
 * Keeps the signed-in user up to date, and fetches the shown data of a team again when its name, owner, roles,
 * files or the name of a member change, or may have changed unnoticed: without a connection, also before the first one.
 * Runs before the connection starts, so that it misses no event.
 */
export function useLiveAccount() {
  const client = useQueryClient()
  const channel = useChannel()
  useEffect(() => {
    const fetchAgain = (isMeant: (call: string, id: string) => boolean) =>
      void client.invalidateQueries({
        predicate: ({ queryKey: [call, id] }) => isMeant(String(call), String(id)),
      })
    const undo = [
      channel.onConnectionState(() => {
        if (channel.connectionState.status !== 'open') return
        fetchAgain(
          (call, id) =>
            teamCalls.includes(call) &&
            // The snapshot that follows contains the session.
            !(call === 'sessions.get' && channel.isSubscribed(`session:${id}`)),
        )
      }),
      channel.onAccountEvent(event => {
        if (event.t === 'user-changed') setMe(client, event.user)
        else fetchAgain((call, id) => id === event.team || callsWithoutTeam.includes(call))
      }),
    ]
    return () => undo.forEach(each => each())
  }, [client, channel])
}
