import { useEffect, useRef, useState } from 'react'
import { gpsLostAfterMs, type TrustedReading, worstAccuracyM } from '#contract/fix.ts'
import type { GpsState } from '#contract/phone.ts'
import { watchPosition } from '#web/device/geolocation.ts'

export interface Gps {
  /** The newest reading (a new object for each); null without a position. */
  readonly reading: TrustedReading | null
  /** Null until the first reading or error, for instance while the permission prompt is open. */
  readonly state: GpsState | null
  /**
   * The newest reading with its age, for callers that poll; null once the position counts as lost.
   */
  readonly current: () => { reading: TrustedReading; ageMs: number } | null
}

interface Taken {
  readonly reading: TrustedReading
  readonly takenAt: number
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
  const [reading, setReading] = useState<TrustedReading | null>(null)
  const [state, setState] = useState<GpsState | null>(null)
  const newest = useRef<Taken | null>(null)
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
        newest.current = { reading: position.reading, takenAt: performance.now() }
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
  }, [])
  return {
    reading,
    state,
    current: () => {
      if (!newest.current) return null
      const ageMs = performance.now() - newest.current.takenAt
      const known = ageMs < gpsLostAfterMs(newest.current.reading.speedKmh)
      return known ? { reading: newest.current.reading, ageMs } : null
    },
  }
}
