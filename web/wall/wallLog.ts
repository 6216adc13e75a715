import { Listeners } from '#client/listeners.ts'

/** One line of the wall's events. A later entry with the same key replaces it, such as a receipt. */
export interface WallEvent {
  readonly key: string
  readonly at: number
  /** The plate of the car. */
  readonly plate: string
  /** Before the main word. */
  readonly lead?: string
  /** The main word, in bold. */
  readonly word: string
  readonly text: string
  /** Read out by screen readers when it happens. */
  readonly urgent?: boolean
}

/** More than a big screen shows. */
const maxEvents = 60

/** The events of all cars since the wall was opened, and what was known then. */
export class WallLog {
  readonly #events = new Map<string, WallEvent>()
  readonly #listeners = new Listeners()
  #newest: readonly WallEvent[] = []

  put(events: readonly WallEvent[]) {
    // Cars put their known events again and again: those that are too old to be shown are not new each time.
    const oldestAt = this.#newest[maxEvents - 1]?.at ?? Number.NEGATIVE_INFINITY
    const news = events.filter(
      event => event.at >= oldestAt && !isSame(this.#events.get(event.key), event),
    )
    if (news.length === 0) return
    for (const event of news) this.#events.set(event.key, event)
    this.#newest = [...this.#events.values()].sort((a, b) => b.at - a.at).slice(0, maxEvents)
    if (this.#events.size > 2 * maxEvents) this.#keep(this.#newest)
    this.#listeners.notify()
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  /** The newest first; the same array until an event is added. */
  get newest(): readonly WallEvent[] {
    return this.#newest
  }

  #keep(events: readonly WallEvent[]) {
    this.#events.clear()
    for (const event of events) this.#events.set(event.key, event)
  }
}

function isSame(known: WallEvent | undefined, event: WallEvent): boolean {
  return known?.at === event.at && known.word === event.word && known.text === event.text
}
