import { QueryClient } from '@tanstack/react-query'
import { onNotSignedIn } from './call.ts'
import { CallRefused } from './callRefused.ts'
import { clearLogin, rememberLogin } from './login.ts'

/** The memory of what the server said. It forgets everything when the login ends. */
export function newQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        // The browser's word for "online" is about the internet; our server may be in the same paddock.
        networkMode: 'always',
        staleTime: 10_000,
        retry: (failures, reason) => failures < 2 && isPassing(reason),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  rememberLogin(client)
  onNotSignedIn(() => clearLogin(client))
  return client
}

function isPassing(reason: unknown): boolean {
  return reason instanceof CallRefused && reason.isPassing
}
