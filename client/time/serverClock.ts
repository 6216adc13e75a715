import type { Clock } from '#contract/clock.ts'
import type { EpochMs } from '#contract/ids.ts'
import type { DeviceTime } from './deviceTime.ts'

const keptSamples = 8

/** Requests whose answers may still be pending; a connection sends one every 2 s and dies after 5 s. */
const keptRequests = 8

/** The two clocks of a device drift by less than this between two looks, unless it slept or its time was set. */
const driftMs = 1000

/** Rounding and slewing of the wall clock: below this a change between the two clocks means nothing. */
const jitterMs = 20

interface Sample {
  /** Includes what the device slept between request and answer. */
  readonly roundTripMs: number
  readonly offsetMs: number
  /** How far the wall clock was ahead of the monotonic clock when the answer arrived. */
  readonly aheadMs: number
}

/**
 * Estimates the server's clock. An answer bounds the offset to within half its round trip, so the
 * sample with the shortest round trip wins, among those that the newest one does not contradict.
 */
export class ServerClock {
  readonly #clock: Clock
  readonly #guessedOffsetMs: number
  readonly #page: string
  #samples: Sample[] = []
  #best: Sample | null = null
  #requests: { readonly sentAt: number; readonly aheadMs: number }[] = []
  #aheadMs: number
  /** Monotonic time of the last sleep: answers to earlier requests are ignored. */
  #wokeAt = Number.NEGATIVE_INFINITY
  #sure = false
  /** Noticed sleeps of this page, in milliseconds: the monotonic clock lacks them. */
  #sleptMs = 0
  /** Counts how often the synchronisation was lost. */
  #period = 0
  /** Of each period, how far the server is ahead of `deviceMs`: fixed once, so that a time is always corrected alike. */
  readonly #periodOffsetsMs = new Map<number, number>()

  /**
   * Until the first answer, the server is assumed to be `guessedOffsetMs` ahead of the device's wall
   * clock. `page` tells the times of this page from those of an earlier one.
   */
  constructor(clock: Clock, guessedOffsetMs = 0, page = '') {
    this.#clock = clock
    this.#guessedOffsetMs = guessedOffsetMs
    this.#page = page
    this.#aheadMs = this.#wallAheadMs()
  }

  /** The server's time in whole milliseconds since the epoch; a guess until the first answer. */
  readonly now = (): number => {
    this.#noticeSleep()
    return Math.round(
      this.#best
        ? this.#clock.monotonicMs() + this.#best.offsetMs
        : this.#clock.now() + this.#guessedOffsetMs,
    )
  }

  /** True while the estimate is reliable: the server answered, and the device has not slept since. */
  get sure(): boolean {
    this.#noticeSleep()
    return this.#sure
  }

  /** How far the server's clock is ahead of the time set on this device, in milliseconds. */
  get offsetMs(): number {
    return this.now() - this.#clock.now()
  }

  /**
   * Largest error of the estimate in milliseconds, null until the first answer: half the best round
   * trip, and whatever the device may have slept since.
   */
  get errorMs(): number | null {
    if (!this.#best) return null
    return this.#best.roundTripMs / 2 + this.#sleptSinceMs(this.#best)
  }

  /** The time `ageMs` ago, with the device's own clocks if the server's is not known. */
  timeOf(ageMs = 0): DeviceTime {
    const at = this.now() - Math.round(ageMs)
    if (this.#sure) return { at }
    const deviceMs = this.#deviceMs() - ageMs
    const wallMs = this.#clock.now() - ageMs
    return { at, unsynced: { page: this.#page, period: this.#period, deviceMs, wallMs } }
  }

  /**
   * The server's time of it, or null until the clock is synchronised. Within a page the result is
   * always the same; of an earlier page only the wall clock is left, as it is set now.
   */
  dated({ at, unsynced }: DeviceTime): EpochMs | null {
    if (!unsynced) return at
    if (!this.sure) return null
    const now = this.now()
    if (unsynced.page !== this.#page)
      return Math.min(now, Math.round(unsynced.wallMs + this.offsetMs))
    const offsetMs = this.#periodOffsetsMs.get(unsynced.period) ?? now - this.#deviceMs()
    this.#periodOffsetsMs.set(unsynced.period, offsetMs)
    return Math.round(unsynced.deviceMs + offsetMs)
  }

  /** Of the best sample, in milliseconds; null until the first answer. */
  get roundTripMs(): number | null {
    return this.#best?.roundTripMs ?? null
  }

  /** A request is sent now. Returns its monotonic time, which `learn` takes as `sentAt`. */
  request(): number {
    const sentAt = this.#clock.monotonicMs()
    const request = { sentAt, aheadMs: this.#wallAheadMs() }
    this.#requests = [...this.#requests, request].slice(-keptRequests)
    return sentAt
  }

  /** An answer with the server's time arrived; times are of `Clock.monotonicMs`. */
  addSample(serverNow: number, sentAt: number, heardAt: number) {
    this.#noticeSleep()
    if (!Number.isFinite(serverNow) || !(heardAt >= sentAt) || sentAt < this.#wokeAt) return
    const request = this.#requests.find(each => each.sentAt === sentAt)
    // Where the monotonic clock stood still meanwhile, the round trip took longer than it shows.
    const roundTripMs = heardAt - sentAt + (request ? this.#sleptSinceMs(request) : 0)
    const offsetMs = serverNow + roundTripMs / 2 - heardAt
    const newest = { roundTripMs, offsetMs, aheadMs: this.#wallAheadMs() }
    const agreeing = this.#samples.filter(
      each => this.#sleptSinceMs(each) === 0 && !contradict(each, newest),
    )
    this.#samples = [...agreeing, newest].slice(-keptSamples)
    this.#best = this.#samples.reduce((a, b) => (b.roundTripMs <= a.roundTripMs ? b : a))
    this.#sure = true
  }

  /** A new connection: the monotonic clock may have stood still, so older samples no longer count. */
  restart() {
    this.#samples = []
  }

  /**
   * Where the monotonic clock stands still while the device sleeps, the wall clock shows how long
   * that was: good enough until the next answer, which is requested on waking up.
   */
  #noticeSleep() {
    const aheadMs = this.#wallAheadMs()
    const sleptMs = aheadMs - this.#aheadMs
    if (Math.abs(sleptMs) <= driftMs) return
    this.#aheadMs = aheadMs
    this.#wokeAt = this.#clock.monotonicMs()
    this.#samples = []
    this.#sure = false
    this.#period += 1
    this.#sleptMs += Math.max(0, sleptMs)
    if (!this.#best) return
    const { roundTripMs, offsetMs } = this.#best
    this.#best = { roundTripMs, offsetMs: offsetMs + Math.max(0, sleptMs), aheadMs }
  }

  #deviceMs(): number {
    return this.#clock.monotonicMs() + this.#sleptMs
  }

  /** How far the two clocks of the device moved apart since then; less than jitter counts as nothing. */
  #sleptSinceMs({ aheadMs }: { readonly aheadMs: number }): number {
    const sleptMs = Math.abs(this.#wallAheadMs() - aheadMs)
    return sleptMs <= jitterMs ? 0 : sleptMs
  }

  /** How far the time set on this device is ahead of its monotonic clock. */
  #wallAheadMs(): number {
    return this.#clock.now() - this.#clock.monotonicMs()
  }
}

/** True if no offset fits both samples: the monotonic clock stood still between them. */
function contradict(a: Sample, b: Sample): boolean {
  return Math.abs(a.offsetMs - b.offsetMs) > (a.roundTripMs + b.roundTripMs) / 2
}
