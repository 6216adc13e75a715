interface OpenLimit {
  /** The owner, such as a user's id or a network. */
  key: string
  limit: number
}

/** Counts open resources, such as connections, by key. */
export class OpenCounts {
  readonly #counts = new Map<string, number>()

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  /**
   * Counts one more under each key and returns a function that reverts it, to be called once. Returns null
   * if a limit is reached.
   */
  tryAdd(limits: readonly OpenLimit[]): (() => void) | null {
    if (limits.some(({ key, limit }) => this.of(key) >= limit)) return null
    for (const { key } of limits) this.#counts.set(key, this.of(key) + 1)
    return () => {
      for (const { key } of limits) this.#remove(key)
    }
  }

  #remove(key: string) {
    const left = this.of(key) - 1
    if (left > 0) this.#counts.set(key, left)
    else this.#counts.delete(key)
  }
}
