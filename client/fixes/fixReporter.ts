import type { Clock } from '#contract/clock.ts'
import type { TrustedReading } from '#contract/fix.ts'
import { fixIntervalMs as defaultIntervalMs } from '#contract/liveRules.ts'
import type { Channel } from '../channel.ts'
import type { DeviceTime } from '../time/deviceTime.ts'
import type { UnsentFixes } from './unsentFixes.ts'

const noReading: TrustedReading = {
  latitude: null,
  longitude: null,
  speedKmh: null,
  accuracyM: null,
}

/** Receivers deliver about one reading a second, not to the millisecond. */
const slackMs = 150

/**
 * The receiver's newest reading, or null once it counts as lost. Its time must be taken on arrival, by
 * `ServerClock.timeOf`: its age would not include a later sleep of the device.
 */
export type CurrentReading = () => {
  readonly reading: TrustedReading
  readonly time: DeviceTime
} | null

interface Reported {
  /** Null if the position was unknown. */
  readonly reading: TrustedReading | null
  readonly time: DeviceTime
  /** By the monotonic clock. */
  readonly reportedAt: number
}

interface Options {
  readonly channel: Pick<Channel, 'sendFix' | 'onDriving' | 'clock'>
  readonly clock: Clock
  readonly unsent: UnsentFixes
  /** Interval between two fixes; a second, which only a simulated car changes. */
  readonly fixIntervalMs?: number
}

/**
 * Reports the car's position each second, or that it is unknown, which still counts as a driver contact. A
 * new reading is sent at once, so that it does not wait for the next tick and arrive a second old.
 */
export class FixReporter {
  readonly #options: Options
  readonly #fixIntervalMs: number
  #current: CurrentReading = () => null
  #running = false
  #hasReading = false
  #last: Reported = { reading: null, time: { at: 0 }, reportedAt: Number.NEGATIVE_INFINITY }
  #cancelWait: () => void = () => undefined
  #stopTicks: () => void = () => undefined

  constructor(options: Options) {
    this.#options = options
    this.#fixIntervalMs = options.fixIntervalMs ?? defaultIntervalMs
  }

  /** Starts reporting the readings of `current`. Call the result to stop. */
  start(current: CurrentReading): () => void {
    this.#current = current
    this.#running = true
    // Reports at once, not with the next tick, that the car is back.
    const undo = this.#options.channel.onDriving(() => this.#report())
    this.#report()
    this.#tick()
    return () => {
      this.#running = false
      undo()
      this.#cancelWait()
      this.#stopTicks()
    }
  }

  /** Call when the receiver has a new reading, or lost the position. */
  readingChanged() {
    if (!this.#running) return
    const hasReading = this.#current() !== null
    if (hasReading !== this.#hasReading) {
      this.#hasReading = hasReading
      this.#tick()
    }
    this.#cancelWait()
    // A lost position is not reported at once: often the next reading follows immediately.
    if (!hasReading) return
    const waitMs = this.#waitMs()
    if (waitMs <= 0) return this.#report()
    // The next tick may be a second away.
    this.#cancelWait = this.#options.clock.after(waitMs, () => this.#report())
  }

  /** While readings come in, the tick only replaces a missing one. */
  #tick() {
    this.#stopTicks()
    const intervalMs = this.#fixIntervalMs + (this.#hasReading ? slackMs : 0)
    this.#stopTicks = this.#options.clock.every(intervalMs, () => {
      if (this.#sinceLastMs() >= intervalMs - slackMs) this.#report()
    })
  }

  #report() {
    const { channel, clock, unsent } = this.#options
    const known = this.#current()
    const isRepeated = known !== null && known.reading === this.#last.reading
    // The same reading always has the same time, or it would be stored twice.
    const time = isRepeated ? this.#last.time : (known?.time ?? channel.clock.timeOf())
    const at = channel.clock.dated(time)
    const reading = known?.reading ?? noReading
    // A fix with an unknown time is stored on the device until it can be corrected.
    const sent = at !== null && channel.sendFix({ at, ...reading })
    // Queued once under its uncorrected time: by another report it may have been corrected and uploaded.
    if (at === null) {
      if (!isRepeated) unsent.add({ ...time, ...reading }, false)
    } else {
      // If it was queued before its time was known, the corrected one takes its place.
      unsent.add({ at, ...reading }, sent, time.unsynced && time.at)
    }
    if (!sent && !known) return
    this.#last = {
      reading: known?.reading ?? null,
      // A corrected time is kept: after a sleep the same reading would get another one.
      time: at === null ? time : { at },
      reportedAt: clock.monotonicMs(),
    }
  }

  /** After a report without a position, a new reading is sent without delay. */
  #waitMs(): number {
    return this.#last.reading ? this.#fixIntervalMs - slackMs - this.#sinceLastMs() : 0
  }

  #sinceLastMs(): number {
    return this.#options.clock.monotonicMs() - this.#last.reportedAt
  }
}
