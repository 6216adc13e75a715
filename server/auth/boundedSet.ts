/** A set that drops its oldest members beyond a size. */
export class BoundedSet {
  readonly #maxSize: number
  readonly #members = new Set<string>()

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  has(member: string): boolean {
    return this.#members.has(member)
  }

  add(member: string) {
    this.#members.add(member)
    const [oldest] = this.#members
    if (this.#members.size > this.#maxSize && oldest !== undefined) this.#members.delete(oldest)
  }

  delete(member: string) {
    this.#members.delete(member)
  }
}
