import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { ReceivedReading } from '#client/fixes/readingTimes.ts'
import { Listeners } from '#client/listeners.ts'
import type { ServerClock } from '#client/serverClock.ts'
import type { GpsState } from '#contract/phone.ts'
import { gpsLostAfterMs, type TrustedReading, worstAccuracyM } from '#contract/shared/fix.ts'
import { watchPosition } from '#web/device/geolocation.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'

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

/** The device's position. A component follows a part of it by `useGps`: most need not render with each reading. */
export class Gps {
  readonly #clock: Pick<ServerClock, 'timeOf'>
  readonly #listeners = new Listeners()
  #newest: Newest | null = null
  #state: GpsState | null = null
  #lost: ReturnType<typeof setTimeout> | undefined
  #logged: string | null = null

  constructor(clock: Pick<ServerClock, 'timeOf'>) {
    this.#clock = clock
  }

  /** The newest reading (a new object for each); null without a position. */
  get reading(): TrustedReading | null {
    return this.#newest?.reading ?? null
  }

  /** Null until the first reading or error, for instance while the permission prompt is open. */
  get state(): GpsState | null {
    return this.#state
  }

  /** Calls `listener` after each reading, and when the position is lost. */
  readonly onChange = (listener: () => void): (() => void) => this.#listeners.add(listener)

  /** The newest reading with its times, for callers that poll; null once the position counts as lost. */
  current(): ReceivedReading | null {
    if (!this.#newest) return null
    const { reading, arrivedAt } = this.#newest
    const known = performance.now() - arrivedAt < gpsLostAfterMs(reading.speedKmh)
    return known ? this.#newest : null
  }

  /** Watches the device's position. Returns a function that stops watching. */
  watch(): () => void {
    const stopWatching = watchPosition(position => {
      if (position.reading) {
        // Once a lost position is back, the next error is logged again.
        if (!this.#newest) this.#logged = null
        this.#newest = {
          reading: position.reading,
          receiverMs: position.receiverMs,
          arrival: this.#clock.timeOf(),
          arrivalWallMs: Date.now(),
          arrivedAt: performance.now(),
        }
        this.#state = qualityOf(position.reading)
        clearTimeout(this.#lost)
        this.#lost = setTimeout(() => this.#lose('lost'), gpsLostAfterMs(position.reading.speedKmh))
        this.#listeners.notify()
        return
      }
      // Logged once: some receivers fail before each reading, and a missing position causes an error every 5 s.
      if (position.missing !== this.#logged)
        reportError(new Error(`The device provides no position: ${position.missing}`))
      this.#logged = position.missing
      const why = stateWithout[position.missing]
      // A temporary error: the last reading stays valid until the position counts as lost.
      if (why !== 'lost' || !this.#newest) this.#lose(why)
    })
    return () => {
      stopWatching()
      clearTimeout(this.#lost)
    }
  }

  #lose(why: GpsState) {
    clearTimeout(this.#lost)
    this.#newest = null
    this.#state = why
    this.#listeners.notify()
  }
}

/** Watches the device's position while the screen is mounted. */
export function usePosition(): Gps {
  const { clock } = useChannel()
  const gps = useMemo(() => new Gps(clock), [clock])
  useEffect(() => gps.watch(), [gps])
  return gps
}

/** Returns the selected value. The component renders again only when that value changes. */
export function useGps<T>(gps: Gps, select: (gps: Gps) => T): T {
  return useSyncExternalStore(gps.onChange, () => select(gps))
}
