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

  /** Counts one more under each key. Returns false and counts nothing if a limit is reached. */
  tryAdd(limits: readonly OpenLimit[]): boolean {
    if (limits.some(({ key, limit }) => this.of(key) >= limit)) return false
    for (const { key } of limits) this.#counts.set(key, this.of(key) + 1)
    return true
  }

  /** Counts one less under each key. Call it once for each successful `tryAdd`, with the same keys. */
  remove(keys: readonly string[]) {
    for (const key of keys) {
      const left = this.of(key) - 1
      if (left > 0) this.#counts.set(key, left)
      else this.#counts.delete(key)
    }
  }
}
