import type { QueryClient } from '@tanstack/react-query'
import { clearDevice } from '#web/account/clearDevice.ts'
import { onLoginEnd } from '#web/api/login.ts'
import { loginQuery } from '#web/api/loginQuery.ts'
import { newQueryClient } from '#web/api/queryClient.ts'
import { prerendered } from '#web/device/prerendered.ts'
import { preload } from './routes.tsx'

/** The page stays blank for this long while the code of the first screen loads; then a loading screen is rendered. */
const maxWaitMs = 250

/**
 * Loads the login and the code of the first screen in parallel. `ready` resolves once the app can be rendered, mostly
 * with its first screen: React would show a screen 300 ms after a loading screen, however soon it is there.
 */
export function startApp(): { client: QueryClient; ready: Promise<unknown> } {
  const client = newQueryClient()
  onLoginEnd(client, () => void clearDevice())
  if (prerendered()) openSignIn(client)
  void client.prefetchQuery(loginQuery)
  const loaded = preload(location.pathname)
  const timeout = new Promise(resolve => setTimeout(resolve, maxWaitMs))
  return { client, ready: Promise.race([loaded, timeout]) }
}

/**
 * Opens the sign-in without redirects, and before the server responds to the request for the login: the server sends
 * the prerendered screen only without a login.
 */
function openSignIn(client: QueryClient) {
  history.replaceState(null, '', '/auth/sign-in')
  if (client.getQueryData(loginQuery.queryKey)) return
  const google = 'google' in (prerendered()?.dataset ?? {}) && { google: true as const }
  client.setQueryData(loginQuery.queryKey, { login: null, ...google }, { updatedAt: 0 })
}
