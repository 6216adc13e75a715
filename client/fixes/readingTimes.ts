import { greatestOf, leastOf } from '#contract/shared/extremes.ts'
import type { TrustedReading } from '#contract/shared/fix.ts'
import type { DeviceTime } from '../deviceTime.ts'

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

/** A reading that arrives up to this much too early only corrects the difference between the two clocks. */
const mostEarlyMs = 500

/** After this many readings in a row with the same difference, the device's clock is wrong, not the receiver's. */
const agreeingReadings = 5

/**
 * Decides when a reading was taken. Arrival varies by some tenths of a second, so the receiver's time counts,
 * unless its clock jumps or is frozen: then the arrival does. The device's clock may be wrong by any constant.
 */
export class ReadingTimes {
  #receiverMs = Number.NEGATIVE_INFINITY
  #last: TimedReading | null = null
  /** How far the device's wall clock is ahead of the receiver's. */
  #aheadMs = 0
  /** The same of the newest readings, in a row, that contradict it. */
  #contradicting: number[] = []

  /** Call it with each reading in order. The same reading, reported again, keeps its time. */
  timed({ reading, arrival, arrivalWallMs, receiverMs }: ReceivedReading): TimedReading {
    if (this.#last && receiverMs === this.#receiverMs && isSamePlace(this.#last.reading, reading))
      return this.#last
    // Frozen or set back. Negated, so that NaN does not affect the next one.
    const isFrozen = !(receiverMs > this.#receiverMs)
    const ageMs = isFrozen ? null : this.#delayMs(arrivalWallMs - receiverMs)
    // Fixes stay in order, also after one with the time of its arrival.
    const isUsable = ageMs !== null && arrival.at - ageMs > (this.#last?.time.at ?? 0)
    // Not NaN, after which every time would count as frozen.
    if (receiverMs > Number.NEGATIVE_INFINITY) this.#receiverMs = receiverMs
    this.#last = {
      reading,
      time: isUsable ? earlier(arrival, Math.round(ageMs)) : arrival,
      atArrival: !isUsable,
    }
    return this.#last
  }

  /** How long the reading took to arrive; null if the receiver's clock is wrong. */
  #delayMs(aheadMs: number): number | null {
    const delayMs = aheadMs - this.#aheadMs
    if (delayMs >= -mostEarlyMs && delayMs <= longestDelayMs) {
      this.#contradicting = []
      this.#aheadMs = Math.min(this.#aheadMs, aheadMs)
      return Math.max(0, delayMs)
    }
    this.#contradicting = [...this.#contradicting, aheadMs].slice(-agreeingReadings)
    const least = leastOf(this.#contradicting)
    const doAgree = greatestOf(this.#contradicting) - least <= mostEarlyMs
    if (this.#contradicting.length === agreeingReadings && doAgree) this.#aheadMs = least
    return null
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
