import { QueryClient } from '@tanstack/react-query'
import { onNotSignedIn } from './call.ts'
import { clearLogin, rememberLogin } from './login/login.ts'
import { CallRefused } from './refusals/callRefused.ts'

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
  rememberLogin(client)
  onNotSignedIn(() => clearLogin(client))
  return client
}

function mayRetrySoon(reason: unknown): boolean {
  return reason instanceof CallRefused && reason.mayRetrySoon
}
