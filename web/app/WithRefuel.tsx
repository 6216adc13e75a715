import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'
import { RefuelNext } from '#web/race/refuelNext.ts'

// Loaded on demand: few members of a team enter fuel.
const RefuelSheet = lazy(async () => ({
  default: (await import('#web/race/RefuelSheet.tsx').catch(reloadWhenReachable)).RefuelSheet,
}))

/** Opens the fuel entry after a driver change at a stop, on the screens inside. */
export function WithRefuel({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<Session | null>(null)
  return (
    <RefuelNext value={setSession}>
      {children}
      {session && (
        <Suspense>
          <RefuelSheet
            teamId={session.teamId}
            sessionId={session.id}
            onClose={() => setSession(null)}
          />
        </Suspense>
      )}
    </RefuelNext>
  )
}
