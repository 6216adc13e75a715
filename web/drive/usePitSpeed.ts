import { useEffect, useState } from 'react'
import { isTooFastForBox, leftAfterMs, racingKmhOf } from '#racing/laps/pitExit.ts'
import type { Visit } from '#racing/race/stopClock.ts'
import { type Gps, useGps } from './usePosition.ts'

interface PitSpeed {
  /** True if the minimum must not be shown as done: that tempts a driver who is still in the lane. */
  readonly isFast: boolean
  /** The visits, the last one with its end if the car drives as on the track. */
  readonly visits: readonly Visit[]
}

/**
 * Ends a visit by the speed where no pit-out line is known: a pit lane that was learned from a visit can end behind the
 * real exit. `limitKmh` is the speed limit of the lane by the rules; null without one.
 */
export function usePitSpeed(
  gps: Gps,
  visits: readonly Visit[],
  {
    limitKmh,
    knowsPitOut,
    now,
  }: { limitKmh: number | null; knowsPitOut: boolean; now: () => number },
): PitSpeed {
  const isFast = useGps(gps, ({ reading }) => isTooFastForBox(reading?.speedKmh, limitKmh))
  const isRacing = useGps(gps, ({ reading }) => (reading?.speedKmh ?? 0) >= racingKmhOf(limitKmh))
  const [left, setLeft] = useState<{ startedAt: number; endedAt: number } | null>(null)
  const last = visits.at(-1)
  const startedAt = last?.endedAt === null ? last.startedAt : null
  useEffect(() => {
    if (!isRacing || startedAt === null) return
    const endedAt = now()
    const timer = setTimeout(() => setLeft({ startedAt, endedAt }), leftAfterMs)
    return () => clearTimeout(timer)
  }, [isRacing, startedAt, now])
  const hasLeft = last && !knowsPitOut && startedAt !== null && left?.startedAt === startedAt
  return { isFast, visits: hasLeft ? visits.with(-1, { ...last, endedAt: left.endedAt }) : visits }
}
