import { useEffect, useState } from 'react'
import type { GpsState } from '#contract/phone.ts'

/** A recovered position is reported after this time, the same as for a lost one. */
const steadyMs = 3000

/**
 * Returns the state of the receiver without short recoveries. At the edge of reception it would otherwise change with
 * every reading, and each change is broadcast to the whole team. A change for the worse is returned at once.
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
