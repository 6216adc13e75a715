import type { EpochMs } from '#contract/ids.ts'
import type { Clock } from '#contract/shared/clock.ts'
import type { DeviceTime } from './deviceTime.ts'
import { Listeners } from './listeners.ts'

const maxSamples = 8

/** Pending requests to remember; a connection sends one every 2.5 s and times out after 5 s. */
const maxRequests = 8

/** A larger change between the device's two clocks means that it slept or its time was set. */
const driftMs = 1000

/**
 * Slower responses are ignored: they bound the offset to half the round trip only. Most are old ones that a
 * frozen page reads when it continues.
 */
const maxRoundTripMs = 4000

/** Rounding and slewing of the wall clock: smaller changes between the two clocks are noise. */
const jitterMs = 20

interface Sample {
  /** Includes the device's sleep between request and response. */
  readonly roundTripMs: number
  readonly offsetMs: number
  /** Offset of the wall clock from the monotonic clock when the response arrived. */
  readonly aheadMs: number
}

/**
 * Estimates the server's clock. A response bounds the offset to within half its round trip, so the sample with
 * the shortest round trip wins, among those consistent with the newest one.
 */
export class ServerClock {
  readonly #clock: Clock
  readonly #synchronized = new Listeners()
  readonly #guessedOffsetMs: number
  /** A random id of this page. Distinguishes its times from the times of an earlier page. */
  readonly pageId: string
  #samples: Sample[] = []
  #best: Sample | null = null
  #requests: { readonly sentAt: number; readonly aheadMs: number }[] = []
  #aheadMs: number
  /** Monotonic time of the last sleep: responses to earlier requests are ignored. */
  #wokeUpAt = Number.NEGATIVE_INFINITY
  #isSynchronized = false
  /** Detected sleeps of this page, in milliseconds, which the monotonic clock does not count. */
  #sleptMs = 0
  /** Number of times the synchronisation was lost. */
  #period = 0
  /**
   * Offset of the server's clock from `deviceMs` per period. Fixed once, so that a time is always corrected
   * in the same way.
   */
  readonly #periodOffsetsMs = new Map<number, number>()

  /**
   * Until the first response, the server is assumed to be `guessedOffsetMs` ahead of the device's wall clock.
   * See `pageId`.
   */
  constructor(clock: Clock, guessedOffsetMs = 0, pageId = '') {
    this.#clock = clock
    this.#guessedOffsetMs = guessedOffsetMs
    this.pageId = pageId
    this.#aheadMs = this.#wallAheadMs()
  }

  /**
   * The server's time in whole milliseconds since the epoch; an estimate by the wall clock until the first
   * response.
   */
  readonly now = (): number => {
    this.#detectSleep()
    return Math.round(
      this.#best
        ? this.#clock.monotonicMs() + this.#best.offsetMs
        : this.#clock.now() + this.#guessedOffsetMs,
    )
  }

  /** True while the estimate is reliable: the server responded, and the device has not slept since. */
  get isSynchronized(): boolean {
    this.#detectSleep()
    return this.#isSynchronized
  }

  /** Calls `listener` whenever the estimate becomes reliable, also after a sleep. Call the result to stop. */
  onSynchronized(listener: () => void): () => void {
    return this.#synchronized.add(listener)
  }

  /** Offset of the server's clock from this device's wall clock, in milliseconds. */
  get offsetMs(): number {
    return this.now() - this.#clock.now()
  }

  /**
   * Largest error of the estimate in milliseconds, null until the first response: half the best round trip,
   * plus a possible undetected sleep since.
   */
  get errorMs(): number | null {
    if (!this.#best) return null
    return this.#best.roundTripMs / 2 + this.#sleptSinceMs(this.#best)
  }

  /** The time `ageMs` ago, with the device's own clocks if the server's time is unknown. */
  timeOf(ageMs = 0): DeviceTime {
    const at = this.now() - Math.round(ageMs)
    if (this.#isSynchronized) return { at }
    const deviceMs = this.#deviceMs() - ageMs
    const wallMs = this.#clock.now() - ageMs
    return { at, unsynced: { page: this.pageId, period: this.#period, deviceMs, wallMs } }
  }

  /**
   * The corrected server time, or null until the clock is synchronised. Within a page the result is always
   * the same; for a time of an earlier page only the wall clock is available, as it is set now. `setBackMs`
   * is how far it was set back since then.
   */
  dated({ at, unsynced }: DeviceTime, setBackMs = 0): EpochMs | null {
    if (!unsynced) return at
    if (!this.isSynchronized) return null
    const now = this.now()
    if (unsynced.page !== this.pageId)
      return Math.min(now, Math.round(unsynced.wallMs - setBackMs + this.offsetMs))
    const offsetMs = this.#periodOffsetsMs.get(unsynced.period) ?? now - this.#deviceMs()
    this.#periodOffsetsMs.set(unsynced.period, offsetMs)
    return Math.round(unsynced.deviceMs + offsetMs)
  }

  /**
   * How far the wall clock was at least set back since earlier pages recorded these times: as far as the latest
   * of them is still to come, by that clock. In milliseconds, 0 if none is.
   */
  setBackMs(times: readonly DeviceTime[]): number {
    const wallNow = this.#clock.now()
    return times.reduce((longest, { unsynced }) => {
      if (!unsynced || unsynced.page === this.pageId) return longest
      return Math.max(longest, unsynced.wallMs - wallNow)
    }, 0)
  }

  /** Round trip of the best sample, in milliseconds; null until the first response. */
  get roundTripMs(): number | null {
    return this.#best?.roundTripMs ?? null
  }

  /**
   * Records that a request is sent now. Returns its monotonic time, to be passed to `addSample` as `sentAt`: in tenths
   * of a millisecond, because further digits have no meaning, and each heartbeat would carry them twice.
   */
  request(): number {
    const sentAt = this.#tenths()
    const request = { sentAt, aheadMs: this.#wallAheadMs() }
    this.#requests = [...this.#requests, request].slice(-maxRequests)
    return sentAt
  }

  /** Adds a response with the server's time; the other times are of `Clock.monotonicMs`. */
  addSample(serverNow: number, sentAt: number, receivedAt: number) {
    this.#detectSleep()
    if (!Number.isFinite(serverNow) || !(receivedAt >= sentAt) || sentAt < this.#wokeUpAt) return
    const request = this.#requests.find(each => each.sentAt === sentAt)
    // The monotonic clock may have stopped during the round trip, which was then longer than measured.
    const roundTripMs = receivedAt - sentAt + (request ? this.#sleptSinceMs(request) : 0)
    if (roundTripMs > maxRoundTripMs) return
    const offsetMs = serverNow + roundTripMs / 2 - receivedAt
    const newest = { roundTripMs, offsetMs, aheadMs: this.#wallAheadMs() }
    const agreeing = this.#samples.filter(
      each => this.#sleptSinceMs(each) === 0 && !contradict(each, newest),
    )
    this.#samples = [...agreeing, newest].slice(-maxSamples)
    this.#best = this.#samples.reduce((a, b) => (b.roundTripMs <= a.roundTripMs ? b : a))
    const wasSynchronized = this.#isSynchronized
    this.#isSynchronized = true
    if (!wasSynchronized) this.#synchronized.notify()
  }

  /** Discards the samples on a new connection: the monotonic clock may have stopped since. */
  restart() {
    this.#samples = []
  }

  /**
   * Detects a sleep of the device: the monotonic clock may stop during it, and the wall clock shows for how
   * long. That is accurate enough until the next response, which is requested on wake-up.
   */
  #detectSleep() {
    const aheadMs = this.#wallAheadMs()
    const sleptMs = aheadMs - this.#aheadMs
    if (Math.abs(sleptMs) <= driftMs) return
    this.#aheadMs = aheadMs
    this.#wokeUpAt = this.#tenths()
    this.#samples = []
    this.#isSynchronized = false
    this.#period += 1
    this.#sleptMs += Math.max(0, sleptMs)
    if (!this.#best) return
    const { roundTripMs, offsetMs } = this.#best
    this.#best = { roundTripMs, offsetMs: offsetMs + Math.max(0, sleptMs), aheadMs }
  }

  /** The monotonic time, rounded down to tenths of a millisecond. */
  #tenths(): number {
    return Math.floor(this.#clock.monotonicMs() * 10) / 10
  }

  #deviceMs(): number {
    return this.#clock.monotonicMs() + this.#sleptMs
  }

  /** How far the device's two clocks moved apart since then; less than `jitterMs` counts as nothing. */
  #sleptSinceMs({ aheadMs }: { readonly aheadMs: number }): number {
    const sleptMs = Math.abs(this.#wallAheadMs() - aheadMs)
    return sleptMs <= jitterMs ? 0 : sleptMs
  }

  /** Offset of the device's wall clock from its monotonic clock. */
  #wallAheadMs(): number {
    return this.#clock.now() - this.#clock.monotonicMs()
  }
}

/** True if no offset fits both samples: the monotonic clock stopped between them. */
function contradict(a: Sample, b: Sample): boolean {
  return Math.abs(a.offsetMs - b.offsetMs) > (a.roundTripMs + b.roundTripMs) / 2
}
