import type { Clock } from '#contract/shared/clock.ts'
import type { TrustedReading } from '#contract/shared/fix.ts'
import { fixIntervalMs as defaultIntervalMs } from '#contract/shared/liveRules.ts'
import type { Channel } from '../channel/channel.ts'
import type { DeviceTime } from '../deviceTime.ts'
import { ReadingTimes, type ReceivedReading, type TimedReading } from './readingTimes.ts'
import type { UnsentFix, UnsentFixes } from './unsentFixes.ts'

const noReading: TrustedReading = {
  latitude: null,
  longitude: null,
  speedKmh: null,
  accuracyM: null,
  headingDeg: null,
}

/** Tolerance for receivers whose readings do not arrive exactly one second apart. */
const slackMs = 150

/** Returns the receiver's newest reading, or null once it counts as lost. */
export type CurrentReading = () => ReceivedReading | null

interface Reported {
  /** Null if the position was unknown. */
  readonly reading: TrustedReading | null
  readonly time: DeviceTime
  /** By the monotonic clock. */
  readonly reportedAt: number
}

interface Options {
  readonly channel: Pick<Channel, 'sendFix' | 'onDriving' | 'clock' | 'isDataLinkOff'>
  readonly clock: Clock
  readonly unsent: UnsentFixes
  /** Called once with each new reading that is reported, whether or not it can be sent. */
  readonly onReading?: ((fix: UnsentFix) => void) | undefined
  /** Interval between two fixes. Defaults to one second; only a simulated car changes it. */
  readonly fixIntervalMs?: number
}

/**
 * Reports the car's position each second. An unknown position is reported too, because each report counts as
 * a driver contact. A new reading does not wait for the next tick, which could make it a second old.
 */
export class FixReporter {
  readonly #options: Options
  readonly #fixIntervalMs: number
  readonly #times = new ReadingTimes()
  #current: () => TimedReading | null = () => null
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
    this.#current = () => {
      const received = current()
      return received && this.#times.timed(received)
    }
    this.#running = true
    // After a reconnect, reports as soon as the server accepts the driver, not with the next tick.
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
    // Does not wait for the next tick, which may be a second away.
    this.#cancelWait = this.#options.clock.after(waitMs, () => this.#report())
  }

  /**
   * Restarts the tick, also after each report: otherwise a slightly late reading could arrive just after a tick, whose
   * repeated report delays the next readings. While readings arrive, the interval is longer, to report only if one is
   * missing.
   */
  #tick() {
    this.#stopTicks()
    if (!this.#running) return
    const intervalMs = this.#fixIntervalMs + (this.#hasReading ? slackMs : 0)
    this.#stopTicks = this.#options.clock.every(intervalMs, () => {
      if (this.#sinceLastMs() >= intervalMs - slackMs) this.#report()
    })
  }

  #report() {
    const { channel, clock, unsent } = this.#options
    const known = this.#current()
    const isRepeated = known !== null && known.reading === this.#last.reading
    // A repeated reading keeps its time, or it would be stored twice.
    const time = isRepeated ? this.#last.time : (known?.time ?? channel.clock.timeOf())
    const at = channel.clock.dated(time)
    const fix = {
      ...(known?.reading ?? noReading),
      ...(known?.atArrival && { atArrival: true as const }),
    }
    // A fix with an unknown time is not sent, but stored on the device until its time can be corrected.
    const sent = at !== null && channel.sendFix({ at, ...fix })
    if (channel.isDataLinkOff) {
      // Dropped: a queued fix would be sent later.
    } else if (at === null) {
      // A repeated reading is not queued again: its first entry may already be corrected and uploaded.
      if (!isRepeated) unsent.add({ ...time, ...fix }, false)
    } else {
      // Replaces the entry that was queued under the uncorrected time, if any.
      unsent.add({ at, ...fix }, sent, time.unsynced && time.at)
    }
    if (known && !isRepeated)
      this.#options.onReading?.(at === null ? { ...time, ...fix } : { at, ...fix })
    if (!sent && !known) return
    this.#last = {
      reading: known?.reading ?? null,
      // Keeps the corrected time: correcting it again after a sleep would give a different one.
      time: at === null ? time : { at },
      reportedAt: clock.monotonicMs(),
    }
    this.#tick()
  }

  /** Returns the time until the next report is due: none after a report without a position. */
  #waitMs(): number {
    return this.#last.reading ? this.#fixIntervalMs - slackMs - this.#sinceLastMs() : 0
  }

  #sinceLastMs(): number {
    return this.#options.clock.monotonicMs() - this.#last.reportedAt
  }
}
