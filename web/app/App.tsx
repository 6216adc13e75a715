import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Component, type ReactNode, Suspense, useEffect } from 'react'
import { BrowserRouter, useMatch, useRoutes } from 'react-router'
import { refreshWorker, reloadToNewest } from '#web/device/appWorker.ts'
import { appText } from '#web/text/app.ts'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { LogoPage } from '#web/ui/LogoPage.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import styles from './BrokenScreen.module.css'
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

interface Props {
  children: ReactNode
}

/**
 * Error boundary: shows `BrokenScreen` when a screen throws. React supports only classes for this.
 */
class CatchBroken extends Component<Props, { reason: unknown }> {
  override state = { reason: null }

  static getDerivedStateFromError(reason: unknown) {
    return { reason }
  }

  override render() {
    return this.state.reason ? <BrokenScreen reason={this.state.reason} /> : this.props.children
  }
}

/**
 * Shown when a screen threw, or when its code failed to load (no connection, or a newer build on the
 * server). Both buttons reload the page, which discards the broken state.
 */
function BrokenScreen({ reason }: { reason: unknown }) {
  const notLoaded = reason instanceof TypeError && /module|import|fetch/i.test(reason.message)
  const title = notLoaded ? appText.notLoadedTitle : appText.brokenTitle
  usePageTitle(title)
  return (
    <LogoPage>
      <LoadFailed
        title={title}
        whole
        message={notLoaded ? appText.notLoadedText : appText.brokenText}
        onRetry={() => void reloadToNewest()}
      />
      <a className={styles.away} href="/teams">
        {appText.toTeams}
      </a>
    </LogoPage>
  )
}
