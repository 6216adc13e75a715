import { useEffect, useRef, useState } from 'react'
import { type TrustedReading, worstAccuracyM } from '#contract/fix.ts'
import type { GpsState } from '#contract/phone.ts'
import { watchPosition } from '#web/device/geolocation.ts'

// The watch gives up on a reading after 5 s: from then on the last one says nothing of the car now.
const staleAfterMs = 5000

export interface Gps {
  /** The newest reading, another object for each; none without a position. */
  readonly reading: TrustedReading | null
  /** None until the receiver, or the person who may forbid it, has said something. */
  readonly state: GpsState | null
  /** The same for who asks now and then, with its age; none once it is too old to be true. */
  readonly current: () => { reading: TrustedReading; ageMs: number } | null
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

/** Follows the device's position while the screen is there. */
export function usePosition(): Gps {
  const [reading, setReading] = useState<TrustedReading | null>(null)
  const [state, setState] = useState<GpsState | null>(null)
  const newest = useRef<{ reading: TrustedReading; takenAt: number } | null>(null)
  useEffect(() => {
    let stale: ReturnType<typeof setTimeout> | undefined
    let missing: string | null = null
    const undo = watchPosition(position => {
      clearTimeout(stale)
      // Said once, not with each of the errors that follow each other every 5 s.
      if (position.missing && position.missing !== missing) {
        reportError(new Error(`The device gives no position: ${position.missing}`))
      }
      missing = position.missing
      newest.current = position.reading && {
        reading: position.reading,
        takenAt: performance.now(),
      }
      setReading(position.reading)
      setState(position.reading ? qualityOf(position.reading) : stateWithout[position.missing])
      stale = setTimeout(() => {
        setReading(null)
        setState(before => (before === 'denied' || before === 'missing' ? before : 'lost'))
      }, staleAfterMs)
    })
    return () => {
      undo()
      clearTimeout(stale)
    }
  }, [])
  return {
    reading,
    state,
    current: () => {
      if (!newest.current) return null
      const ageMs = performance.now() - newest.current.takenAt
      return ageMs < staleAfterMs ? { reading: newest.current.reading, ageMs } : null
    },
  }
}
