import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Outlet } from 'react-router'
import { support } from '#support/web/register.ts'
import { clearLogin, useMe } from '#web/api/login.ts'
import { storeClockOffset, storedClockOffsetMs } from '#web/device/clockOffset.ts'
import { pageClock } from '#web/device/pageClock.ts'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'
import { tabStore, textStore } from '#web/device/textStore.ts'
import { LiveProvider } from '#web/live/LiveProvider.tsx'

// Loaded in parallel without blocking: it shows nothing in the first 1.5 s.
const SignedInBackground = lazy(async () => ({
  default: (await import('./SignedInBackground.tsx').catch(reloadWhenReachable)).SignedInBackground,
}))

/** State of the live connection stored on this device. */
export const onThisDevice = {
  clockOffset: { read: storedClockOffsetMs, store: storeClockOffset },
  clock: pageClock,
  store: textStore,
  tabStore,
}

/** Wraps the screens of a signed-in user: the live connection and the notices about it. */
export function SignedInShell() {
  const client = useQueryClient()
  const { id } = useMe()
  support.useVisit()
  return (
    <LiveProvider userId={id} onSignedOut={() => clearLogin(client)} {...onThisDevice}>
      <Suspense>
        <SignedInBackground />
      </Suspense>
      <Outlet />
    </LiveProvider>
  )
}
