import { type Query, QueryClient } from '@tanstack/react-query'
import { onNotSignedIn } from './call.ts'
import { CallRefused } from './callRefused.ts'
import { clearLogin, rememberLogin } from './login.ts'

/** Creates the cache of server responses. It is cleared when the login ends. */
export function newQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        // navigator.onLine is about the internet; our server may be on the paddock's own network.
        networkMode: 'always',
        staleTime: 10_000,
        retry: (failures, reason) => failures < 2 && mayRetrySoon(reason),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  repeatOutdatedFirstRequests(client)
  keepErrorsDuringRetries(client)
  rememberLogin(client)
  onNotSignedIn(() => clearLogin(client))
  return client
}

/**
 * Repeats a query that was invalidated during its first request. TanStack Query repeats a request in flight only if it
 * has data already, so that an event in this moment would be lost.
 */
function repeatOutdatedFirstRequests(client: QueryClient) {
  const outdated = new WeakSet<Query>()
  client.getQueryCache().subscribe(event => {
    if (event.type !== 'updated') return
    const { query, action } = event
    const { data, fetchStatus } = query.state
    if (action.type === 'invalidate' && data === undefined && fetchStatus === 'fetching')
      outdated.add(query)
    else if (action.type === 'success' && outdated.delete(query))
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
  })
}

/**
 * Keeps the error of a query without data while it is requested again, such as for a component that mounts later.
 * TanStack Query forgets it, and a loading state would replace the alert with its retry button.
 */
function keepErrorsDuringRetries(client: QueryClient) {
  const errors = new WeakMap<Query, Error>()
  client.getQueryCache().subscribe(event => {
    const { query } = event
    // A screen that is opened again starts with its loading state.
    if (query.getObserversCount() === 0) errors.delete(query)
    else if (event.type === 'updated' && query.state.data === undefined) {
      const { action } = event
      const error = errors.get(query)
      if (action.type === 'error') errors.set(query, action.error)
      else if (action.type === 'fetch' && error) query.setState({ error, status: 'error' })
    }
  })
}

/** True for a refusal that may succeed a moment later. */
export function mayRetrySoon(reason: unknown): boolean {
  return reason instanceof CallRefused && reason.mayRetrySoon
}
