import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { BrowserRouter, useLocation, useMatch, useRoutes } from 'react-router'
import { onLoginEnd } from '#web/api/login/login.ts'
import { loginQuery } from '#web/api/login/loginQuery.ts'
import { newQueryClient } from '#web/api/queryClient.ts'
import { Notifications } from '#web/features/notifications/Notifications.tsx'
import { clearDevice } from '#web/features/profile/clearDevice.ts'
import { registerAfterTimeout } from '#web/features/update/registerAfterTimeout.ts'
import { preload, routes } from './routes.tsx'
import { CatchBroken } from './shell/CatchBroken.tsx'
import { Starting } from './shell/Starting.tsx'

/** The whole app: the cache of server responses, toasts, and the open screen. */
export function App() {
  const [client] = useState(createClient)
  useEffect(registerAfterTimeout, [])
  return (
    <CatchBroken>
      <QueryClientProvider client={client}>
        <BrowserRouter>
          <Screens />
        </BrowserRouter>
      </QueryClientProvider>
    </CatchBroken>
  )
}

function Screens() {
  const { pathname } = useLocation()
  const driving = useMatch('/teams/:teamId/:sessionId/drive') !== null
  const screens = useRoutes(routes)
  return (
    <Notifications screen={pathname} quiet={driving}>
      <Suspense fallback={<Starting />}>{screens}</Suspense>
    </Notifications>
  )
}

/** Fetches the login in parallel with the screen's code. */
function createClient() {
  const client = newQueryClient()
  onLoginEnd(client, () => void clearDevice())
  void client.prefetchQuery(loginQuery)
  preload(location.pathname)
  return client
}
