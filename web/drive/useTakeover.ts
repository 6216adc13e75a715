import { useState } from 'react'
import type { OtherPhone } from './useOtherPhone.ts'
import { type Gps, useGps } from './usePosition.ts'

/** Above this speed taps are accidental: do not ask which phone is in the car. */
const asksBelowKmh = 10

/** What this phone shows of another one that is in the car. */
export interface TakeoverState {
  /** That phone, while the driver is asked; null otherwise. */
  readonly asked: OtherPhone | null
  /** That phone, while this one is as on the track: at speed, or by the choice of the driver; null otherwise. */
  readonly waitsFor: OtherPhone | null
  /** Lets the driver wait for the pit exit. */
  readonly wait: () => void
}

/** Returns whether the driver is asked to take over from another phone. */
export function useTakeover(gps: Gps, other: OtherPhone | null): TakeoverState {
  const [chosen, setChosen] = useState<number | null>(null)
  const isSlow = useGps(gps, ({ reading }) => (reading?.speedKmh ?? 0) < asksBelowKmh)
  const waits = !other?.isAfterThis && (!isSlow || other?.from === chosen)
  return {
    asked: waits ? null : other,
    waitsFor: waits ? other : null,
    wait: () => setChosen(other?.from ?? null),
  }
}
