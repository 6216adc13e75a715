import { useState } from 'react'
import { useServerClock } from '#web/live/useLive.ts'
import type { OtherPhone } from './useOtherPhone.ts'
import { type Gps, useGps } from './usePosition.ts'

/** Above this speed taps are accidental: do not ask which phone is in the car. */
const asksBelowKmh = 10

/** The question and the plate on this phone while another one is in the car. */
export interface TakeoverState {
  /** That phone, while the driver is asked; null otherwise. */
  readonly asked: OtherPhone | null
  /** That phone, while this one is as on the track: at speed, or by the choice of the driver; null otherwise. */
  readonly waitsFor: OtherPhone | null
  /** When the driver chose to take over at the pit exit; null if nobody did. */
  readonly chosenAt: number | null
  /** True above walking speed. */
  readonly drives: boolean
  /** Lets the driver wait for the pit exit. */
  readonly wait: () => void
  /** Called after the takeover: what people decide then holds. */
  readonly forget: () => void
}

/** Returns whether the driver is asked to take over from another phone. */
export function useTakeover(gps: Gps, other: OtherPhone | null): TakeoverState {
  const serverNow = useServerClock()
  const [chosen, setChosen] = useState<{ phone: string; at: number } | null>(null)
  const isChosen = other !== null && other.sessionId === chosen?.phone
  const isSlow = useGps(gps, ({ reading }) => (reading?.speedKmh ?? 0) < asksBelowKmh)
  const waits = !other?.isAfterThis && (!isSlow || isChosen)
  return {
    asked: waits ? null : other,
    waitsFor: waits ? other : null,
    chosenAt: isChosen ? chosen.at : null,
    drives: !isSlow,
    forget: () => setChosen(null),
    wait: () => setChosen(other && { phone: other.sessionId, at: serverNow() }),
  }
}
