const defaultTimeoutMs = 30_000

/** `command` is for messages to the driver and their receipts: it has priority over all `ordinary` work. */
export type Lane = 'command' | 'ordinary'

/** Admits one caller at a time: the command lane first, each lane in order of arrival (FIFO). */
export class PriorityMutex {
  readonly #timeoutMs: number
  readonly #queues: Record<Lane, (() => void)[]> = { command: [], ordinary: [] }
  #isHeld = false
  #isClosed = false

  /** A caller that waits longer than `timeoutMs` is rejected. */
  constructor(timeoutMs = defaultTimeoutMs) {
    this.#timeoutMs = timeoutMs
  }

  /** Resolves once the mutex is held. Call the result to release it. */
  async acquire(lane: Lane = 'ordinary'): Promise<() => void> {
    if (this.#isClosed) throw new Error('The database is closed.')
    return this.#next(lane, this.#timeoutMs)
  }

  /** Acquires after all pending callers of both lanes. Later callers are rejected. */
  async acquireLast(): Promise<() => void> {
    if (this.#isClosed) throw new Error('The database is closed.')
    this.#isClosed = true
    return this.#next('ordinary', undefined)
  }

  async #next(lane: Lane, timeoutMs: number | undefined): Promise<() => void> {
    if (this.#isHeld) await this.#wait(this.#queues[lane], timeoutMs)
    this.#isHeld = true
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.#handOver()
    }
  }

  #wait(queue: (() => void)[], timeoutMs: number | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer =
        timeoutMs === undefined ? undefined : setTimeout(() => onTimeout(), timeoutMs).unref()
      const acquire = () => {
        clearTimeout(timer)
        resolve()
      }
      const onTimeout = () => {
        queue.splice(queue.indexOf(acquire), 1)
        reject(
          new Error(
            `The embedded database was busy for ${timeoutMs} ms. Inside a transaction, use the transaction's own handle.`,
          ),
        )
      }
      queue.push(acquire)
    })
  }

  #handOver() {
    const next = this.#queues.command.shift() ?? this.#queues.ordinary.shift()
    // The mutex stays held during the handover, so that no other caller can acquire it.
    if (next) next()
    else this.#isHeld = false
  }
}
