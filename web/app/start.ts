import type { QueryClient } from '@tanstack/react-query'
import { clearDevice } from '#web/account/clearDevice.ts'
import { onLoginEnd } from '#web/api/login.ts'
import { loginQuery } from '#web/api/loginQuery.ts'
import { newQueryClient } from '#web/api/queryClient.ts'
import { preload } from './routes.tsx'

/** After this time the app is rendered without the code of its first screen, with the mark that index.html shows too. */
const maxWaitMs = 2000

/**
 * Loads the login and the code of the first screen in parallel. `ready` resolves once the app can be rendered, mostly
 * with its first screen: React would show a screen 300 ms after a loading screen, however soon it is there.
 */
export function startApp(): { client: QueryClient; ready: Promise<unknown> } {
  const client = newQueryClient()
  onLoginEnd(client, () => void clearDevice())
  void client.prefetchQuery(loginQuery)
  const loaded = preload(location.pathname)
  const timeout = new Promise(resolve => setTimeout(resolve, maxWaitMs))
  return { client, ready: Promise.race([loaded, timeout]) }
}
