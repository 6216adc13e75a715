import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { command } from '#web/api/call.ts'
import { setLogin } from '#web/api/login.ts'
import { loginQuery } from '#web/api/loginQuery.ts'
import { queryOf } from '#web/api/queryOf.ts'
import { useHasStatus } from '#web/live/useLive.ts'

/** Poll interval of a person who waits. */
const stateEveryMs = 2000

/** The team of a code, requested once: wrong codes are counted. */
export const foundTeamQuery = (code: string) =>
  queryOptions({
    queryKey: ['joinCodes.find', code],
    queryFn: () => command('joinCodes.find', { code }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })

/** Whether this browser is in a team, polled until it is. */
export const joinStateQuery = (teamId: string) =>
  queryOptions({
    ...queryOf('joinCodes.state', { teamId }, { refetchIntervalInBackground: true }),
    refetchInterval: ({ state }) => (state.data?.state === 'in' ? false : stateEveryMs),
  })

export const codesQuery = (teamId: string) => queryOf('joinCodes.list', { teamId })

const joinRequestsQuery = (teamId: string) => queryOf('joinCodes.waiting', { teamId })

/**
 * Returns the people who wait to be let in. They are requested once the connection is open or lost; while it is open, it
 * reports each change.
 */
export function useJoinRequests(teamId: string, isMember = true) {
  const isConnecting = useHasStatus('connecting')
  const query = { ...joinRequestsQuery(teamId), enabled: isMember && !isConnecting }
  return useQuery(query).data ?? []
}

/** Requests the codes and the waiting people of a team again. Resolves when both have arrived. */
export async function refreshJoining(client: QueryClient, teamId: string) {
  await Promise.all([
    client.invalidateQueries({ queryKey: codesQuery(teamId).queryKey }),
    client.invalidateQueries({ queryKey: joinRequestsQuery(teamId).queryKey }),
  ])
}

/** Takes over the login that the server set for this browser. Does nothing if it is the same person. */
export async function refreshLogin(client: QueryClient) {
  const before = client.getQueryData(loginQuery.queryKey)?.login?.user.id
  const { login } = await client.fetchQuery({ ...loginQuery, staleTime: 0 })
  if (login && login.user.id !== before) setLogin(client, login)
}
