import type { Clock } from '#contract/clock.ts'
import type { TrustedReading } from '#contract/fix.ts'
import { fixIntervalMs } from '#contract/liveRules.ts'
import type { Channel } from '../channel.ts'
import type { DeviceTime } from '../time/deviceTime.ts'
import type { UnsentFixes } from './unsentFixes.ts'

const noReading: TrustedReading = {
  latitude: null,
  longitude: null,
  speedKmh: null,
  accuracyM: null,
}

/** Receivers give a reading about once a second, not to the millisecond. */
const slackMs = 150

/**
 * The receiver's newest reading, or null once it counts as lost. Its time has to be taken as it arrives,
 * by `ServerClock.timeOf`: its age would lack what the device sleeps afterwards.
 */
export type CurrentReading = () => {
  readonly reading: TrustedReading
  readonly time: DeviceTime
} | null

interface Reported {
  /** Null if the car's place was not known. */
  readonly reading: TrustedReading | null
  readonly time: DeviceTime
  /** Monotonic. */
  readonly reportedAt: number
}

interface Options {
  readonly channel: Pick<Channel, 'sendFix' | 'onDriving' | 'clock'>
  readonly clock: Clock
  readonly unsent: UnsentFixes
}

/**
 * Reports the car's place each second, also that it is not known: that is the driver's contact. A
 * new reading is sent at once, so that it does not wait for a tick and arrive a second old.
 */
export class FixReporter {
  readonly #options: Options
  #current: CurrentReading = () => null
  #running = false
  #hasReading = false
  #last: Reported = { reading: null, time: { at: 0 }, reportedAt: Number.NEGATIVE_INFINITY }
  #cancelWait: () => void = () => undefined
  #stopTicks: () => void = () => undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Starts reporting what `current` gives. Call the result to stop. */
  start(current: CurrentReading): () => void {
    this.#current = current
    this.#running = true
    // The team sees at once that the car is back, not with the next tick.
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

  /** The receiver gave a new reading, or lost the position. */
  readingChanged() {
    if (!this.#running) return
    const hasReading = this.#current() !== null
    if (hasReading !== this.#hasReading) {
      this.#hasReading = hasReading
      this.#tick()
    }
    this.#cancelWait()
    // A lost position is not reported at once: often the next reading comes in the same moment.
    if (!hasReading) return
    const waitMs = this.#waitMs()
    if (waitMs <= 0) return this.#report()
    // Sooner than the tick, which may be a second away.
    this.#cancelWait = this.#options.clock.after(waitMs, () => this.#report())
  }

  /** With readings coming in, the tick only stands in for one that is missing. */
  #tick() {
    this.#stopTicks()
    const everyMs = fixIntervalMs + (this.#hasReading ? slackMs : 0)
    this.#stopTicks = this.#options.clock.every(everyMs, () => {
      if (this.#sinceLastMs() >= everyMs - slackMs) this.#report()
    })
  }

  #report() {
    const { channel, clock, unsent } = this.#options
    const known = this.#current()
    const time = this.#timeOf(known)
    const at = channel.clock.dated(time)
    const reading = known?.reading ?? noReading
    // A fix whose time is not known yet waits on the device for its correction.
    const sent = at !== null && channel.sendFix({ at, ...reading })
    unsent.add(at === null ? { ...time, ...reading } : { at, ...reading }, sent)
    if (!sent && !known) return
    this.#last = {
      reading: known?.reading ?? null,
      // Once dated it stays so: after a sleep the same reading would get another time.
      time: at === null ? time : { at },
      reportedAt: clock.monotonicMs(),
    }
  }

  /** The same reading has the same time whenever it is reported: otherwise it would be stored twice. */
  #timeOf(known: ReturnType<CurrentReading>): DeviceTime {
    if (known && known.reading === this.#last.reading) return this.#last.time
    return known?.time ?? this.#options.channel.clock.timeOf()
  }

  /** After a report without a position, a new reading does not wait at all. */
  #waitMs(): number {
    return this.#last.reading ? fixIntervalMs - slackMs - this.#sinceLastMs() : 0
  }

  #sinceLastMs(): number {
    return this.#options.clock.monotonicMs() - this.#last.reportedAt
  }
}
