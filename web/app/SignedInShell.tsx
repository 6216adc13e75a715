import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Outlet } from 'react-router'
import { support } from '#support/web/register.ts'
import { clearLogin, useMe } from '#web/api/login.ts'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'
import { LiveProvider } from '#web/live/LiveProvider.tsx'
import { onThisDevice } from './onThisDevice.ts'
import { useLiveAccount } from './useLiveAccount.ts'

// Loaded in parallel without blocking: it shows nothing in the first 1.5 s.
const SignedInBackground = lazy(async () => ({
  default: (await import('./SignedInBackground.tsx').catch(reloadWhenReachable)).SignedInBackground,
}))

/** Wraps the screens of a signed-in user: the live connection and the notices about it. */
export function SignedInShell() {
  const client = useQueryClient()
  const { id } = useMe()
  support.useVisit()
  return (
    <LiveProvider userId={id} onSignedOut={() => clearLogin(client)} {...onThisDevice}>
      <ConnectedScreens />
    </LiveProvider>
  )
}

/** Everything that uses the live connection. */
function ConnectedScreens() {
  useLiveAccount()
  return (
    <>
      <Suspense>
        <SignedInBackground />
      </Suspense>
      <Outlet />
    </>
  )
}
