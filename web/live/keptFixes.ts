import type { Fix } from '#contract/positions.ts'

interface Options {
  /** Stores what the server does not have. Like the others it rejects where the device cannot. */
  readonly keep: (fixes: readonly Fix[]) => Promise<void>
  /** Stores one that is on its way, and forgets those of these times, which have arrived. */
  readonly keepSent: (fix: Fix, arrived: readonly number[]) => Promise<void>
  /** What was on its way counts as not sent. */
  readonly takeBackSent: () => Promise<void>
  readonly report: (problem: string) => void
}

/**
 * Sees to it that no fix of a session is lost: what the line did not take is kept, and what it took
 * until the server is known to have it. One write a second, whatever becomes of the line or the page.
 */
export class KeptFixes {
  readonly #options: Options
  /** By their times, in the order they were sent. */
  #onTheWay: number[] = []
  #arrived: number[] = []
  #failing = false

  constructor(options: Options) {
    this.#options = options
  }

  /** A fix was taken, and the line took it or not. Without a position there is nothing to keep. */
  note(fix: Fix, sent: boolean) {
    if (fix.latitude === null || fix.longitude === null) return
    if (!sent) return void this.#try(() => this.#options.keep([fix]))
    this.#onTheWay.push(fix.at)
    const arrived = this.#arrived
    this.#arrived = []
    void this.#try(() => this.#options.keepSent(fix, arrived))
  }

  /** The server has stored the fix of this time, and all that the line took before it. */
  heardWritten(at: number) {
    this.#arrived.push(...this.#onTheWay.splice(0, this.#onTheWay.lastIndexOf(at) + 1))
  }

  /** The line fell, or the driving ended: who knows what became of what was sent of late. */
  lineLost() {
    if (this.#onTheWay.length + this.#arrived.length === 0) return
    this.#onTheWay = []
    this.#arrived = []
    void this.#try(this.#options.takeBackSent)
  }

  async #try(write: () => Promise<void>) {
    try {
      await write()
      this.#failing = false
    } catch (reason) {
      // Said once, not each second.
      if (!this.#failing) this.#options.report(`A fix could not be kept: ${String(reason)}`)
      this.#failing = true
    }
  }
}
