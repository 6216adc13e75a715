import type { Channel } from '../channel/channel.ts'
import { Listeners } from '../listeners.ts'
import { lostFixesKey } from '../storedKeys.ts'
import { isRecord, readJson, type TextStore } from '../textStore.ts'

type UserStore = Pick<Channel, 'userId' | 'store'>

const byChannel = new WeakMap<UserStore, LostFixes>()

/** Returns the counter of a channel's user: one shared object per channel. */
export function lostFixesOf(channel: UserStore): LostFixes {
  const known = byChannel.get(channel)
  if (known) return known
  const created = new LostFixes(channel.store, channel.userId)
  byChannel.set(channel, created)
  return created
}

/** Counts a user's positions that could not be stored, until the user dismisses the count. */
export class LostFixes {
  readonly #store: TextStore
  readonly #userId: string
  readonly #listeners = new Listeners()
  #count: number

  constructor(store: TextStore, userId: string) {
    this.#store = store
    this.#userId = userId
    const stored = readJson(store, lostFixesKey)
    const isOurs = isRecord(stored) && stored.userId === userId
    this.#count = isOurs && Number.isSafeInteger(stored.count) ? Number(stored.count) : 0
  }

  get count(): number {
    return this.#count
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  add(count: number) {
    this.#set(this.#count + count)
  }

  dismiss() {
    this.#set(0)
  }

  #set(count: number) {
    this.#count = count
    if (count === 0) this.#store.remove(lostFixesKey)
    else this.#store.write(lostFixesKey, JSON.stringify({ userId: this.#userId, count }))
    this.#listeners.notify()
  }
}
