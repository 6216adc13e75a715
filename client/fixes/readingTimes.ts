import type { TrustedReading } from '#contract/shared/fix.ts'
import type { DeviceTime } from '../time/deviceTime.ts'

/** A reading as it arrived from the receiver. */
export interface ReceivedReading {
  readonly reading: TrustedReading
  /**
   * When it arrived. Take it by `ServerClock.timeOf` at once: computed later from its age, it would miss the time
   * that the device slept.
   */
  readonly arrival: DeviceTime
  /** The device's wall clock at that moment. */
  readonly arrivalWallMs: number
  /** When the receiver took it, by the receiver's clock: `GeolocationPosition.timestamp`. */
  readonly receiverMs: number
}

/** A reading with the time of its fix. */
export interface TimedReading {
  readonly reading: TrustedReading
  readonly time: DeviceTime
  /** The receiver's time was not usable: `time` is when the reading arrived. */
  readonly atArrival: boolean
}

/**
 * The longest plausible delay between a reading and its arrival: a busy phone delivers some late, usually within
 * 200 ms. A larger difference means that the receiver's clock is wrong.
 */
const longestDelayMs = 2000

/** How far the receiver's clock may be ahead of the device's: satellite time and network time differ a little. */
const mostAheadMs = 500

/**
 * Decides when a reading was taken. Arrival varies by some tenths of a second, so the receiver's time counts,
 * unless its clock jumps or is frozen: then the arrival does.
 */
export class ReadingTimes {
  #receiverMs = Number.NEGATIVE_INFINITY
  #last: TimedReading | null = null

  /** Call it with each reading in order. The same reading, reported again, keeps its time. */
  timed({ reading, arrival, arrivalWallMs, receiverMs }: ReceivedReading): TimedReading {
    if (this.#last && receiverMs === this.#receiverMs && isSamePlace(this.#last.reading, reading))
      return this.#last
    const ageMs = arrivalWallMs - receiverMs
    const isUsable =
      ageMs >= -mostAheadMs &&
      ageMs <= longestDelayMs &&
      // Not frozen or set back. Negated, so that NaN does not affect the next one.
      !(receiverMs <= this.#receiverMs) &&
      // Fixes stay in order, also after one with the time of its arrival.
      arrival.at - ageMs > (this.#last?.time.at ?? 0)
    this.#receiverMs = receiverMs
    this.#last = {
      reading,
      time: isUsable ? earlier(arrival, Math.round(ageMs)) : arrival,
      atArrival: !isUsable,
    }
    return this.#last
  }
}

function isSamePlace(a: TrustedReading, b: TrustedReading): boolean {
  return a.latitude === b.latitude && a.longitude === b.longitude
}

function earlier({ at, unsynced }: DeviceTime, byMs: number): DeviceTime {
  return {
    at: at - byMs,
    ...(unsynced && {
      unsynced: {
        ...unsynced,
        deviceMs: unsynced.deviceMs - byMs,
        wallMs: unsynced.wallMs - byMs,
      },
    }),
  }
}
