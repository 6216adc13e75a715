import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { BrowserRouter, useLocation, useMatch, useRoutes } from 'react-router'
import { onLoginEnd } from '#web/api/login.ts'
import { loginQuery } from '#web/api/loginQuery.ts'
import { newQueryClient } from '#web/api/queryClient.ts'
import { Notifications } from '#web/features/notifications/Notifications.tsx'
import { clearDevice } from '#web/features/profile/clearDevice.ts'
import { registerAtLatest } from '#web/features/update/registerAtLatest.ts'
import { CatchBroken } from './CatchBroken.tsx'
import { preload, routes } from './routes.tsx'
import { Starting } from './Starting.tsx'

/** The whole app: what the server said, what is said to the person, and which screen is open. */
export function App() {
  const [client] = useState(started)
  useEffect(registerAtLatest, [])
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

/** Asks who is signed in while the code of the screen is on its way. */
function started() {
  const client = newQueryClient()
  onLoginEnd(client, () => void clearDevice())
  void client.prefetchQuery(loginQuery)
  preload(location.pathname)
  return client
}
