import type { Channel } from '../channel.ts'
import { lostFixesKey } from '../driver/storedKeys.ts'
import { isRecord, readJson, type TextStore } from '../textStore.ts'

type OfUser = Pick<Channel, 'userId' | 'store'>

const ofChannels = new WeakMap<OfUser, LostFixes>()

/** The count of a channel's user: one object for all that add to it or show it. */
export function lostFixesOf(channel: OfUser): LostFixes {
  const known = ofChannels.get(channel)
  if (known) return known
  const made = new LostFixes(channel.store, channel.userId)
  ofChannels.set(channel, made)
  return made
}

/** Counts the positions of a user that could not be stored, until the user has read it. */
export class LostFixes {
  readonly #store: TextStore
  readonly #userId: string
  readonly #listeners = new Set<() => void>()
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
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
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
    for (const listener of this.#listeners) listener()
  }
}
