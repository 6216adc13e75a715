import { useEffect, useRef, useState } from 'react'
import type { CurrentReading } from '#client/fixes/fixReporter.ts'
import type { ReceivedReading } from '#client/fixes/readingTimes.ts'
import type { GpsState } from '#contract/sessions/phone.ts'
import { gpsLostAfterMs, type TrustedReading, worstAccuracyM } from '#contract/shared/places/fix.ts'
import { watchPosition } from '#web/device/geolocation.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'

export interface Gps {
  /** The newest reading (a new object for each); null without a position. */
  readonly reading: TrustedReading | null
  /** Null until the first reading or error, for instance while the permission prompt is open. */
  readonly state: GpsState | null
  /** The newest reading with its times, for callers that poll; null once the position counts as lost. */
  readonly current: CurrentReading
}

interface Newest extends ReceivedReading {
  /** Monotonic. */
  readonly arrivedAt: number
}

const stateWithout = {
  denied: 'denied',
  missing: 'missing',
  timeout: 'lost',
  unavailable: 'lost',
} as const

function qualityOf({ accuracyM }: TrustedReading): GpsState {
  return accuracyM !== null && accuracyM <= worstAccuracyM ? 'good' : 'inaccurate'
}

/** Watches the device's position while the screen is mounted. */
export function usePosition(): Gps {
  const { clock } = useChannel()
  const [reading, setReading] = useState<TrustedReading | null>(null)
  const [state, setState] = useState<GpsState | null>(null)
  const newest = useRef<Newest | null>(null)
  useEffect(() => {
    let lost: ReturnType<typeof setTimeout> | undefined
    let reported: string | null = null
    const lose = (why: GpsState) => {
      clearTimeout(lost)
      newest.current = null
      setReading(null)
      setState(why)
    }
    const stopWatching = watchPosition(position => {
      if (position.reading) {
        reported = null
        newest.current = {
          reading: position.reading,
          receiverMs: position.receiverMs,
          arrival: clock.timeOf(),
          arrivalWallMs: Date.now(),
          arrivedAt: performance.now(),
        }
        setReading(position.reading)
        setState(qualityOf(position.reading))
        clearTimeout(lost)
        lost = setTimeout(() => lose('lost'), gpsLostAfterMs(position.reading.speedKmh))
        return
      }
      // Logged once, not for each of the repeated errors every 5 s.
      if (position.missing !== reported)
        reportError(new Error(`The device provides no position: ${position.missing}`))
      reported = position.missing
      const why = stateWithout[position.missing]
      // A temporary error: the last reading stays valid until the position counts as lost.
      if (why !== 'lost' || !newest.current) lose(why)
    })
    return () => {
      stopWatching()
      clearTimeout(lost)
    }
  }, [clock])
  return {
    reading,
    state,
    current: () => {
      if (!newest.current) return null
      const { reading, arrivedAt } = newest.current
      const known = performance.now() - arrivedAt < gpsLostAfterMs(reading.speedKmh)
      return known ? newest.current : null
    },
  }
}
