import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { setMe } from '#web/api/login.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'

/** Queries of a team, and queries with its name or those of its members: published as `team-changed` only. */
const teamCalls = ['teams.list', 'teams.get', 'files.list', 'sessions.get', 'messages.log']

/** Those of them whose key does not contain the team's id. */
const callsWithoutTeam = ['teams.list', 'sessions.get', 'messages.log']

/**
 * Keeps the signed-in user up to date, and fetches the shown data of a team again when its name, owner, roles,
 * files or the name of a member change, or may have changed unnoticed, such as without a connection.
 */
export function useLiveAccount() {
  const client = useQueryClient()
  const channel = useChannel()
  useEffect(() => {
    const fetchAgain = (isMeant: (call: unknown, id: unknown, query: Query) => boolean) =>
      void client.invalidateQueries({
        predicate: query => isMeant(query.queryKey[0], query.queryKey[1], query),
      })
    let hasOpened = false
    const onOpen = () => {
      if (channel.connectionState.status !== 'open') return
      // What this page has just requested is as new as its first connection.
      const isFirst = !hasOpened
      hasOpened = true
      fetchAgain(
        (call, _, query) =>
          teamCalls.includes(String(call)) &&
          (!isFirst || (query.state.data !== undefined && query.isStale())),
      )
    }
    const undo = [
      channel.onConnectionState(onOpen),
      channel.onAccountEvent(event => {
        if (event.t === 'user-changed') setMe(client, event.user)
        else fetchAgain((call, id) => id === event.team || callsWithoutTeam.includes(String(call)))
      }),
    ]
    // Events of a connection that opened before this code was loaded were missed too.
    onOpen()
    return () => undo.forEach(each => each())
  }, [client, channel])
}
