import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { BrowserRouter, useMatch, useRoutes } from 'react-router'
import { refreshWorker } from '#web/device/appWorker.ts'
import { CatchBroken } from './CatchBroken.tsx'
import { routes } from './routes.tsx'
import { Starting } from './Starting.tsx'
import { ToastProvider } from './ToastProvider.tsx'

/** The whole app: the cache of server responses, toasts, and the open screen. */
export function App({ client }: { client: QueryClient }) {
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
  const driving = useMatch('/teams/:teamId/:sessionId/drive') !== null
  const screens = useRoutes(routes)
  return (
    <ToastProvider quiet={driving}>
      <Suspense fallback={<Starting />}>{screens}</Suspense>
    </ToastProvider>
  )
}

/** Source: UP-4 in docs/specification.tsv. */
const timeoutMs = 30_000

/**
 * Registers the service worker after a timeout even if the app never settles: an update may contain the
 * fix. Returns the cancel function.
 */
function registerAfterTimeout(): () => void {
  if (!import.meta.env.PROD) return () => undefined
  const timer = setTimeout(() => void refreshWorker(), timeoutMs)
  return () => clearTimeout(timer)
}
