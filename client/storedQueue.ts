import { isRecord, readJson, type TextStore } from './textStore.ts'

interface Options<Item> {
  readonly store: TextStore
  readonly key: string
  /** The user, and with items of one drive the session. Items of other owners under the same key stay. */
  readonly owner: Readonly<Record<string, string>>
  /** Checks the fields of a stored item other than those of its owner. */
  readonly isItem: (value: Record<string, unknown>) => boolean
  readonly isSame: (one: Item, other: Item) => boolean
  /** Maximum number of items stored on the device, of all owners. */
  readonly max: number
}

/** A persistent queue of items that the server does not have yet. All pages of the device share it. */
export class StoredQueue<Item extends object> {
  readonly #options: Options<Item>
  #items: readonly Item[]
  /** False if the device does not store exactly `#items`, which then stay in memory until the page is closed. */
  #isStored = true
  /** Items that were removed, but that the device still has because it refused the change. */
  #removed: readonly Item[] = []

  constructor(options: Options<Item>) {
    this.#options = options
    this.#items = this.#read()
  }

  /** The items, oldest first. The same array until one is added or removed. */
  get items(): readonly Item[] {
    return this.#items
  }

  /** Changes the items, including those of other pages. Returns false if nothing changed. */
  update(change: (items: readonly Item[]) => readonly Item[]): boolean {
    const stored = this.#without(this.#removed, this.#read())
    // If the device stored all items, a missing one was sent by another page or deleted at sign-out.
    const own = this.#isStored ? [] : this.#without(stored, this.#items)
    const all = [...stored, ...own]
    const next = change(this.#areSame(all, this.#items) ? this.#items : all)
    if (next === this.#items) return false
    this.#items = next
    this.#write(next)
    const written = this.#read()
    this.#isStored = this.#areSame(written, next)
    this.#removed = this.#without(next, written)
    return true
  }

  #read(): Item[] {
    return this.#ofAll().filter(item => this.#isOwn(item))
  }

  /** Replaces the stored items of the owner. Throws no error if the device refuses. */
  #write(items: readonly Item[]) {
    const { store, key, owner, max } = this.#options
    const others = this.#ofAll().filter(item => !this.#isOwn(item))
    const stored = [...others, ...items.map(item => ({ ...item, ...owner }))]
    if (stored.length === 0) store.remove(key)
    else store.write(key, JSON.stringify(stored.slice(-max)))
  }

  /** Returns the items of all owners. */
  #ofAll() {
    const { store, key, owner, isItem } = this.#options
    const isStored = (value: unknown): value is Item & Record<string, unknown> =>
      isRecord(value) &&
      Object.keys(owner).every(name => typeof value[name] === 'string') &&
      isItem(value)
    const stored = readJson(store, key)
    return Array.isArray(stored) ? stored.filter(isStored) : []
  }

  #isOwn(item: Record<string, unknown>): boolean {
    return Object.entries(this.#options.owner).every(([name, id]) => item[name] === id)
  }

  #without(excluded: readonly Item[], items: readonly Item[]): Item[] {
    return items.filter(item => !excluded.some(each => this.#options.isSame(each, item)))
  }

  #areSame(some: readonly Item[], others: readonly Item[]): boolean {
    return some.length === others.length && this.#without(others, some).length === 0
  }
}
