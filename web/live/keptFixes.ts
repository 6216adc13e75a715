import { deadAfterMs } from '#contract/liveRules.ts'
import type { Fix } from '#contract/positions.ts'
import { localNow } from './clock.ts'

/** A line may have been dead this long before it is known: what was sent meanwhile never came. */
const doubtfulMs = deadAfterMs + 1000

interface Options {
  /** Stores fixes on the device. Rejects where it cannot. */
  readonly keep: (sessionId: string, fixes: readonly Fix[]) => Promise<void>
  readonly report: (problem: string) => void
}

/** Sees to it that no fix is lost: what the line did not take, and what it may not have brought over, is kept. */
export class KeptFixes {
  readonly #options: Options
  #sent: { readonly sessionId: string; readonly fix: Fix; readonly at: number }[] = []
  #failing = false

  constructor(options: Options) {
    this.#options = options
  }

  /** A fix was taken, and the line took it or not. Without a position there is nothing to keep. */
  note(sessionId: string, fix: Fix, sent: boolean) {
    if (fix.latitude === null || fix.longitude === null) return
    if (!sent) return void this.#keep(sessionId, [fix])
    const now = localNow()
    this.#sent = this.#sent.filter(({ at }) => now - at < doubtfulMs)
    this.#sent.push({ sessionId, fix, at: now })
  }

  /** The line fell: what was sent of late counts as not sent. */
  lineLost() {
    const now = localNow()
    const doubtful = this.#sent.filter(({ at }) => now - at < doubtfulMs)
    this.#sent = []
    for (const sessionId of new Set(doubtful.map(each => each.sessionId))) {
      const fixes = doubtful.filter(each => each.sessionId === sessionId).map(({ fix }) => fix)
      void this.#keep(sessionId, fixes)
    }
  }

  async #keep(sessionId: string, fixes: readonly Fix[]) {
    try {
      await this.#options.keep(sessionId, fixes)
      this.#failing = false
    } catch (reason) {
      // Said once, not each second.
      if (!this.#failing) this.#options.report(`A fix could not be kept: ${String(reason)}`)
      this.#failing = true
    }
  }
}
