import type { Fix } from '#contract/positions.ts'
import type { Clock } from '#contract/shared/clock.ts'
import type { DeviceTime } from '../deviceTime.ts'

/** The driver and the session of a fix. */
export interface FixOwner {
  readonly userId: string
  readonly sessionId: string
}

/** A fix as stored on the device. With `unsynced` its time must be corrected before it is sent. */
export type UnsentFix = Fix & DeviceTime

/** The device's storage of fixes that the server may not have. Rejects if it cannot store. */
export interface FixStore {
  /**
   * Queues fixes in place of the queued one with the time `replaced`, if any. Returns how many of the oldest
   * were dropped because the queue was full.
   */
  queueFixes(driven: FixOwner, fixes: readonly UnsentFix[], replaced?: number): Promise<number>
  /** Stores a fix in flight, and deletes fixes with these times: acknowledged or replaced ones. */
  storeInFlight(driven: FixOwner, fix: UnsentFix, obsolete: readonly number[]): Promise<void>
  /** Queues all fixes in flight again, of every session. */
  requeueInFlight(): Promise<void>
}

/** Retry interval for queueing fixes in flight while the device's storage fails. */
const requeueIntervalMs = 5000

interface Options {
  readonly driven: FixOwner
  readonly clock: Pick<Clock, 'after'>
  readonly store: FixStore
  readonly report: (problem: string) => void
  /** Called with the number of fixes the device could not store. */
  readonly onLost: (count: number) => void
}

/**
 * Stores every fix of a session until the server acknowledges it: a fix that was not sent is queued on the
 * device, a sent one is stored as in flight. One write a second, which survives the page.
 */
export class UnsentFixes {
  readonly #options: Options
  /** Times of the fixes in flight, in the order they were sent. */
  #inFlight: number[] = []
  /** Fixes in flight that the device could not store, by time. */
  readonly #unstored = new Map<number, UnsentFix>()
  #acknowledged: number[] = []
  #failing = false

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Stores a fix that was sent, or could not be. A fix without a position has nothing to store. `replaced` is
   * the time under which the same reading may be queued.
   */
  add(fix: UnsentFix, sent: boolean, replaced?: number) {
    if (fix.latitude === null || fix.longitude === null) return
    if (sent) this.#storeInFlight(fix, replaced)
    else this.#queue([fix], replaced)
  }

  /** The server has stored the fix with this time and all sent before it on this connection. */
  acknowledge(at: number) {
    const stored = this.#inFlight.splice(0, this.#inFlight.lastIndexOf(at) + 1)
    for (const each of stored) this.#unstored.delete(each)
    this.#acknowledged = [...this.#acknowledged, ...stored]
  }

  /** Queues the fixes in flight again, when the connection closed or the drive ended. */
  connectionLost() {
    if (this.#inFlight.length + this.#acknowledged.length === 0) return
    this.#inFlight = []
    this.#acknowledged = []
    void this.#requeue()
    if (this.#unstored.size > 0) this.#queue([...this.#unstored.values()])
    this.#unstored.clear()
  }

  #storeInFlight(fix: UnsentFix, replaced?: number) {
    const { driven, store } = this.#options
    this.#inFlight.push(fix.at)
    const obsolete = this.#acknowledged
    this.#acknowledged = []
    if (replaced !== undefined) obsolete.push(replaced)
    const onFailure = () => {
      // The next write deletes them.
      this.#acknowledged = [...this.#acknowledged, ...obsolete]
      // The connection may have been lost in the meantime.
      if (this.#inFlight.includes(fix.at)) this.#unstored.set(fix.at, fix)
      else this.#queue([fix])
    }
    void this.#try(() => store.storeInFlight(driven, fix, obsolete), onFailure)
  }

  #queue(fixes: readonly UnsentFix[], replaced?: number) {
    const { driven, store, onLost } = this.#options
    const queue = async () => {
      const dropped = await store.queueFixes(driven, fixes, replaced)
      if (dropped > 0) onLost(dropped)
    }
    // Fixes that were neither stored nor acknowledged are lost.
    void this.#try(queue, () => onLost(fixes.length))
  }

  /** Retries until the device stores it: otherwise these fixes would wait until the app is opened again. */
  async #requeue() {
    const { store, clock } = this.#options
    const retry = () => void clock.after(requeueIntervalMs, () => void this.#requeue())
    await this.#try(() => store.requeueInFlight(), retry)
  }

  async #try(write: () => Promise<void>, onFailure?: () => void) {
    try {
      await write()
      this.#failing = false
    } catch (reason) {
      // Reported once per failure, not each second.
      if (!this.#failing)
        this.#options.report(`A fix could not be stored on the device: ${String(reason)}`)
      this.#failing = true
      onFailure?.()
    }
  }
}
