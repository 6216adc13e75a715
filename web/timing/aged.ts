import { useEffect, useState } from 'react'
import { silentFeedMs } from '#contract/shared/timingRules.ts'
import type { OfficialTiming } from '#contract/timing.ts'

/** True if the source is connected and not silent. */
export function isConnected({ failure, silentForMs }: OfficialTiming): boolean {
  return failure === null && silentForMs !== null && silentForMs <= silentFeedMs
}

/**
 * Returns the timing unchanged until its newest line is older than `silentFeedMs`, then as silent: a late or missing
 * response must not leave an old flag on the screen. `answeredAt` is the time of the response on this device's clock.
 */
export function useAged<Timing extends OfficialTiming | undefined>(
  timing: Timing,
  answeredAt: number,
): Timing {
  const [agedAt, setAgedAt] = useState(0)
  const silentForMs = timing?.silentForMs ?? 0
  const leftMs = Math.max(0, silentFeedMs - silentForMs)
  useEffect(() => {
    const timer = setTimeout(() => setAgedAt(answeredAt), leftMs)
    return () => clearTimeout(timer)
  }, [answeredAt, leftMs])
  if (!timing || agedAt !== answeredAt || timing.silentForMs === null) return timing
  return { ...timing, silentForMs: Math.max(silentForMs, silentFeedMs + 1) }
}
