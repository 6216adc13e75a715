import { Listeners } from '#client/listeners.ts'

/** One line of the wall's events. A later entry with the same key replaces it, such as a receipt. */
export interface WallEvent {
  readonly key: string
  readonly at: number
  /** The plate of the car, or that of all. */
  readonly plate: string
  /** Before the main word. */
  readonly lead?: string
  /** The main word, in bold. */
  readonly word: string
  readonly text: string
  /** Read out by screen readers when it happens. */
  readonly urgent?: boolean
  /** An order that all cars can get at once, and its delivery to this one. */
  readonly toAll?: {
    readonly pressedAt: number
    readonly isShown: boolean
    readonly isCopied: boolean
  }
}

/** More than a big screen shows. */
export const maxEvents = 60

/**
 * The events of all cars. Laps, stints and visits of a lane are derived
 * from its race: a corrected one takes the place of the former.
 */
export class WallLog {
  readonly #events = new Map<string, WallEvent>()
  readonly #derived = new Map<string, readonly WallEvent[]>()
  readonly #listeners = new Listeners()
  #newest: readonly WallEvent[] = []

  /** `derived` are all derived events of the lane; undefined until its race has loaded. */
  put(lane: string, events: readonly WallEvent[], derived?: readonly WallEvent[]) {
    for (const event of events) this.#events.set(event.key, event)
    if (derived) this.#derived.set(lane, derived)
    const newest = [...this.#events.values(), ...[...this.#derived.values()].flat()]
      .sort((a, b) => b.at - a.at)
      .slice(0, maxEvents)
    if (this.#events.size > 2 * maxEvents) this.#keepFrom(newest.at(-1)?.at ?? 0)
    // Cars put their events each second.
    if (newest.length === this.#newest.length && newest.every(this.#isShown)) return
    this.#newest = newest
    this.#listeners.notify()
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  /** The newest first; the same array until an event is added or changed. */
  get newest(): readonly WallEvent[] {
    return this.#newest
  }

  #keepFrom(oldestAt: number) {
    for (const [key, { at }] of this.#events) if (at < oldestAt) this.#events.delete(key)
  }

  readonly #isShown = (event: WallEvent, index: number): boolean => {
    const shown = this.#newest[index]
    return (
      shown?.key === event.key &&
      shown.at === event.at &&
      shown.word === event.word &&
      shown.text === event.text
    )
  }
}
