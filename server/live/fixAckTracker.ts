import type { EpochMs } from '#contract/ids.ts'
import type { Recorder } from '../telemetry/recorder.ts'

type Written = Pick<Recorder, 'storedUpTo' | 'dropped'>

/** Answers which of a line's fixes are known to be stored, as far as its beats have asked. */
export class FixAckTracker {
  readonly #recorder: Written
  readonly #dropped: number
  #newest: Noted | undefined
  /** What was the newest at some beat: once it is stored, so is all that this connection said before. */
  #mark: Noted | undefined
  #wrote: EpochMs | undefined
  #stopped = false

  constructor(recorder: Written) {
    this.#recorder = recorder
    this.#dropped = recorder.dropped
  }

  /** The connection sent a fix of this time; the recorder counts it as its `number`th. */
  add(at: EpochMs, number: number) {
    this.#newest = { at, number }
  }

  /** A fix of this connection was not taken: nothing can be said of it and of what comes after. */
  stop() {
    this.#stopped = true
  }

  /** The time of the newest fix that is stored with all before it; none before the first. */
  storedUpTo(): EpochMs | undefined {
    // Something was given up while the database was away, perhaps of this connection.
    if (this.#recorder.dropped > this.#dropped) this.#stopped = true
    if (this.#stopped) return this.#wrote
    if (this.#mark && this.#mark.number <= this.#recorder.storedUpTo) {
      this.#wrote = this.#mark.at
      this.#mark = undefined
    }
    this.#mark ??= this.#newest
    return this.#wrote
  }
}

interface Noted {
  readonly at: EpochMs
  readonly number: number
}
