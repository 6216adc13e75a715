import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Outlet } from 'react-router'
import { clearLogin, useMe } from '#web/api/login.ts'
import { keepClockOffset, keptClockOffsetMs } from '#web/device/clockOffset.ts'
import { LiveProvider } from '#web/live/LiveProvider.tsx'
import { useKeptFixes } from './useKeptFixes.ts'
import { useSupport } from './useSupport.ts'

// Asked for at once, and not waited for: it has nothing to say for the first second and a half.
const LineNotice = lazy(async () => ({ default: (await import('./LineNotice.tsx')).LineNotice }))

const clockOffset = { kept: keptClockOffsetMs, keep: keepClockOffset }

/** What surrounds the screens of a signed-in user: the live line, and a word when it is down. */
export function SignedInShell() {
  const client = useQueryClient()
  const { id } = useMe()
  useSupport()
  return (
    <LiveProvider userId={id} onSignedOut={() => clearLogin(client)} clockOffset={clockOffset}>
      <KeptFixes userId={id} />
      <Suspense>
        <LineNotice />
      </Suspense>
      <Outlet />
    </LiveProvider>
  )
}

function KeptFixes({ userId }: { userId: string }) {
  useKeptFixes(userId)
  return null
}
