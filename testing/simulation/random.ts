/** Seeded pseudo-random numbers (sfc32): the same seed yields the same sequence on every machine. */
export class Random {
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(seed: string | number) {
    let hash = 2_166_136_261
    for (const char of String(seed)) hash = Math.imul(hash ^ char.charCodeAt(0), 16_777_619)
    this.#a = hash | 0
    this.#b = Math.imul(hash, 0x9e3779b1) | 0
    this.#c = (hash ^ 0x5bd1e995) | 0
    for (let round = 0; round < 12; round++) this.next()
  }

  /** At least 0, below 1. */
  readonly next = (): number => {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.next() * items.length)]
    if (item === undefined) throw new RangeError('There is nothing to pick from.')
    return item
  }

  /** Picks a key by weight. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key {
    const entries = Object.entries(weights) as [Key, number][]
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [key, weight] of entries) {
      left -= weight
      if (left < 0) return key
    }
    return this.pick(entries)[0]
  }

  uuid(): string {
    const hex = (digits: number) =>
      Array.from({ length: digits }, () => this.whole(0, 15).toString(16)).join('')
    return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`
  }

  /** Creates an independent sequence: drawing from it does not change this one. */
  fork(name: string): Random {
    return new Random(`${name}/${this.#a}/${this.#b}/${this.#c}`)
  }
}
