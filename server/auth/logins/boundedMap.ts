/** A cache that evicts its oldest entries beyond a maximum size. */
export class BoundedMap<Value> {
  readonly #maxSize: number
  readonly #entries = new Map<string, Value>()

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)
  }

  set(key: string, value: Value) {
    this.#entries.set(key, value)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#maxSize && oldest !== undefined) this.#entries.delete(oldest)
  }

  delete(key: string) {
    this.#entries.delete(key)
  }
}
