interface Options<Item> {
  /** Reads the items that the device has, oldest first. */
  readonly read: () => readonly Item[]
  /** Replaces the stored items. Throws no error if the device refuses. */
  readonly write: (items: readonly Item[]) => void
  readonly isSame: (one: Item, other: Item) => boolean
}

/** A persistent queue of items that the server does not have yet. All pages of the device share it. */
export class StoredQueue<Item> {
  readonly #options: Options<Item>
  #items: readonly Item[]
  /** False if the device does not store exactly `#items`, which then stay in memory until the page is closed. */
  #isStored = true
  /** Items that were removed, but that the device still has because it refused the change. */
  #removed: readonly Item[] = []

  constructor(options: Options<Item>) {
    this.#options = options
    this.#items = options.read()
  }

  /** The items, oldest first. The same array until one is added or removed. */
  get items(): readonly Item[] {
    return this.#items
  }

  /** Changes the items, including those of other pages. Returns false if nothing changed. */
  update(change: (items: readonly Item[]) => readonly Item[]): boolean {
    const { read, write } = this.#options
    const stored = this.#without(this.#removed, read())
    // If the device stored all items, a missing one was sent by another page or deleted at sign-out.
    const own = this.#isStored ? [] : this.#without(stored, this.#items)
    const all = [...stored, ...own]
    const next = change(this.#areSame(all, this.#items) ? this.#items : all)
    if (next === this.#items) return false
    this.#items = next
    write(next)
    const written = read()
    this.#isStored = this.#areSame(written, next)
    this.#removed = this.#without(next, written)
    return true
  }

  #without(excluded: readonly Item[], items: readonly Item[]): Item[] {
    return items.filter(item => !excluded.some(each => this.#options.isSame(each, item)))
  }

  #areSame(some: readonly Item[], others: readonly Item[]): boolean {
    return some.length === others.length && this.#without(others, some).length === 0
  }
}
