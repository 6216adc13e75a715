import { useEffect, useRef, useState } from 'react'
import type { TrustedReading } from '#contract/fix.ts'
import { watchPosition } from '#web/device/geolocation.ts'

// The watch gives up on a reading after 5 s: from then on the last one says nothing of the car now.
const staleAfterMs = 5000

export interface Gps {
  /** The newest reading; none without a position. */
  readonly reading: TrustedReading | null
  /** The same for who asks now and then: none once it is too old to be true. */
  readonly current: () => TrustedReading | null
}

/** Follows the device's position while the screen is there. */
export function usePosition(on: boolean): Gps {
  const [reading, setReading] = useState<TrustedReading | null>(null)
  const newest = useRef<{ reading: TrustedReading; at: number } | null>(null)
  useEffect(() => {
    if (!on) return
    let stale: ReturnType<typeof setTimeout> | undefined
    const undo = watchPosition(position => {
      clearTimeout(stale)
      newest.current = position.reading && { reading: position.reading, at: performance.now() }
      setReading(position.reading)
      stale = setTimeout(() => setReading(null), staleAfterMs)
    })
    return () => {
      undo()
      clearTimeout(stale)
    }
  }, [on])
  return {
    reading,
    current: () => {
      const last = newest.current
      return last && performance.now() - last.at < staleAfterMs ? last.reading : null
    },
  }
}
