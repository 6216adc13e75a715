const longestTurnMs = 30_000

/** Lets one at a time through, in the order of asking. */
export class Turns {
  readonly #patienceMs: number
  readonly #waiting: (() => void)[] = []
  #taken = false
  #closed = false

  /** Whoever waits longer than this is refused rather than kept for ever. */
  constructor(patienceMs = longestTurnMs) {
    this.#patienceMs = patienceMs
  }

  /** Resolves when it is one's turn. Call the result to end it. */
  async take(): Promise<() => void> {
    if (this.#closed) throw new Error('The database is closed.')
    return this.#next(this.#patienceMs)
  }

  /** The last turn: it comes after all who wait, and nobody may ask after it. */
  async takeLast(): Promise<() => void> {
    if (this.#closed) throw new Error('The database is closed.')
    this.#closed = true
    return this.#next(undefined)
  }

  async #next(patienceMs: number | undefined): Promise<() => void> {
    if (this.#taken) await this.#wait(patienceMs)
    this.#taken = true
    let ended = false
    return () => {
      if (ended) return
      ended = true
      this.#pass()
    }
  }

  #wait(patienceMs: number | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer =
        patienceMs === undefined ? undefined : setTimeout(() => giveUp(), patienceMs).unref()
      const go = () => {
        clearTimeout(timer)
        resolve()
      }
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1)
        reject(
          new Error(
            `The embedded database was busy for ${patienceMs} ms. Inside a transaction, use the transaction's own handle.`,
          ),
        )
      }
      this.#waiting.push(go)
    })
  }

  #pass() {
    const next = this.#waiting.shift()
    // The turn goes over directly: between the two nobody else may slip in.
    if (next) next()
    else this.#taken = false
  }
}
