import type { Down, FixDown } from '#contract/live.ts'
import type { Message } from '#contract/messages.ts'
import { mergeMessage } from './messageState.ts'
import { applyFrame, type LiveSession, unknownSession } from './sessionState.ts'

interface Entry {
  state: LiveSession
  readonly listeners: Set<() => void>
  readonly fixListeners: Set<(fix: FixDown) => void>
}

/** Stores the state of each followed session and notifies its listeners. */
export class SessionStore {
  readonly #entries = new Map<string, Entry>()

  get(sessionId: string): LiveSession {
    return this.#entries.get(sessionId)?.state ?? unknownSession
  }

  apply(sessionId: string, frame: Down) {
    const entry = this.#entries.get(sessionId)
    if (!entry) return
    this.#setState(entry, applyFrame(entry.state, frame))
    if (frame.t === 'fix' && entry.state.fix === frame) {
      for (const listener of entry.fixListeners) listener(frame)
    }
  }

  /** Merges a message state received outside the channel, such as the answer to a command. */
  merge(sessionId: string, message: Message) {
    const entry = this.#entries.get(sessionId)
    if (!entry?.state.session) return
    const { session } = entry.state
    const newest = mergeMessage(session.message, message)
    if (newest === session.message) return
    this.#setState(entry, { ...entry.state, session: { ...session, message: newest } })
  }

  onChange(sessionId: string, listener: () => void): () => void {
    const { listeners } = this.#entry(sessionId)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      this.#removeIfUnused(sessionId)
    }
  }

  /** Calls `listener` for each new fix, for drawing outside React. */
  onFix(sessionId: string, listener: (fix: FixDown) => void): () => void {
    const { fixListeners } = this.#entry(sessionId)
    fixListeners.add(listener)
    return () => {
      fixListeners.delete(listener)
      this.#removeIfUnused(sessionId)
    }
  }

  #setState(entry: Entry, state: LiveSession) {
    if (state === entry.state) return
    entry.state = state
    for (const listener of entry.listeners) listener()
  }

  #entry(sessionId: string): Entry {
    const known = this.#entries.get(sessionId)
    if (known) return known
    const entry = {
      state: unknownSession,
      listeners: new Set<() => void>(),
      fixListeners: new Set<(fix: FixDown) => void>(),
    }
    this.#entries.set(sessionId, entry)
    return entry
  }

  #removeIfUnused(sessionId: string) {
    const entry = this.#entries.get(sessionId)
    if (entry && entry.listeners.size + entry.fixListeners.size === 0)
      this.#entries.delete(sessionId)
  }
}
