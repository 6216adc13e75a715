import { useEffect, useState } from 'react'
import type { GpsState } from '#contract/sessions/phone.ts'

/** A good position is reported again once it lasted this long, in milliseconds: as long as a lost one takes. */
const steadyMs = 3000

/**
 * The state of the receiver without short recoveries: at the edge of reception it would otherwise change with every
 * reading, and each change is a frame to the whole team. A change for the worse counts at once.
 */
export function useSteadyGps(now: GpsState | null): GpsState | null {
  const [steady, setSteady] = useState(now)
  const recovers = now === 'good' && steady !== null && steady !== 'good'
  if (now !== steady && !recovers) setSteady(now)
  useEffect(() => {
    if (!recovers) return
    const timer = setTimeout(() => setSteady('good'), steadyMs)
    return () => clearTimeout(timer)
  }, [recovers])
  return steady
}
