import type { Clock } from '#contract/clock.ts'
import type { Fix } from '#contract/positions.ts'
import type { DeviceTime } from '../time/deviceTime.ts'

/** Whose fixes, and of which session. */
export interface FixOwner {
  readonly userId: string
  readonly sessionId: string
}

/** A fix as the device stores it; its time may still have to be corrected. */
export type UnsentFix = Fix & DeviceTime

/** The device's storage of fixes that the server may not have. Rejects where it cannot store. */
export interface FixStore {
  /** Queues fixes. Returns how many of the oldest were dropped, since the queue was full. */
  queueFixes(driven: FixOwner, fixes: readonly UnsentFix[]): Promise<number>
  /** Stores one that is in flight, and deletes those of these times, which were acknowledged. */
  storeInFlight(driven: FixOwner, fix: UnsentFix, arrived: readonly number[]): Promise<void>
  /** Queues what is in flight, of every session. */
  requeueInFlight(): Promise<void>
}

/** Retry interval for fixes in flight on a lost connection, while the device's storage fails. */
const requeueEveryMs = 5000

interface Options {
  readonly driven: FixOwner
  readonly clock: Pick<Clock, 'after'>
  readonly store: FixStore
  readonly report: (problem: string) => void
  /** So many fixes are lost: the device could not store them. */
  readonly onLost: (count: number) => void
}

/**
 * Loses no fix of a session: what the connection did not take is queued on the device, and what it
 * took is stored there until the server acknowledges it. One write a second, and it survives the page.
 */
export class UnsentFixes {
  readonly #options: Options
  /** By their times, in the order they were sent. */
  #inFlight: number[] = []
  #arrived: number[] = []
  #failing = false

  constructor(options: Options) {
    this.#options = options
  }

  /** A fix was taken, and the connection took it or not. Without a position there is nothing to store. */
  add(fix: UnsentFix, sent: boolean) {
    if (fix.latitude === null || fix.longitude === null) return
    const { driven, store, onLost } = this.#options
    if (!sent) {
      const keep = async () => {
        const dropped = await store.queueFixes(driven, [fix])
        if (dropped > 0) onLost(dropped)
      }
      // What was in no storage and on no connection is gone.
      void this.#try(keep, () => onLost(1))
      return
    }
    this.#inFlight.push(fix.at)
    const arrived = this.#arrived
    this.#arrived = []
    void this.#try(() => store.storeInFlight(driven, fix, arrived))
  }

  /** The server has stored the fix of this time, and all that this connection took before it. */
  acknowledge(at: number) {
    this.#arrived.push(...this.#inFlight.splice(0, this.#inFlight.lastIndexOf(at) + 1))
  }

  /** The connection closed, or the driving ended: fixes in flight count as not sent. */
  connectionLost() {
    if (this.#inFlight.length + this.#arrived.length === 0) return
    this.#inFlight = []
    this.#arrived = []
    void this.#requeue()
  }

  /** Retries until the device stores it: nothing else queues these fixes before the app is opened again. */
  async #requeue() {
    const { store, clock } = this.#options
    const retry = () => void clock.after(requeueEveryMs, () => void this.#requeue())
    await this.#try(() => store.requeueInFlight(), retry)
  }

  async #try(write: () => Promise<void>, onFailure?: () => void) {
    try {
      await write()
      this.#failing = false
    } catch (reason) {
      // Reported once, not each second.
      if (!this.#failing)
        this.#options.report(`A fix could not be stored on the device: ${String(reason)}`)
      this.#failing = true
      onFailure?.()
    }
  }
}
