import type { EpochMs } from '#contract/ids.ts'

/** Answers which of a line's fixes are known to be stored, as far as its beats have asked. */
export class WroteUpTo {
  #newest: Noted | undefined
  /** What was the newest at some beat: once it is stored, so is all that this line said before. */
  #mark: Noted | undefined
  #wrote: EpochMs | undefined

  /** The line sent a fix of this time; the recorder counts it as its `number`th. */
  note(at: EpochMs, number: number) {
    this.#newest = { at, number }
  }

  /** The time of the newest fix that is stored with all before it; none before the first. */
  asOf(written: number): EpochMs | undefined {
    if (this.#mark && this.#mark.number <= written) {
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
