import type { Message } from '#contract/messages.ts'

const storageKey = 'pitboard.drive'

interface Kept {
  readonly sessionId: string
  readonly message: Message
}

/** The last message of a session that this phone drives, as it was before a reload in a dead zone. */
export function keptMessage(sessionId: string): Message | null {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Kept | null
    return kept?.sessionId === sessionId && kept.message.version >= 0 ? kept.message : null
  } catch {
    // No storage, or not written by us: then there is nothing to show until the line is back.
    return null
  }
}

/** Keeps it, and nothing of any other session. */
export function keepMessage(sessionId: string, message: Message) {
  try {
    localStorage.setItem(storageKey, JSON.stringify({ sessionId, message } satisfies Kept))
  } catch {
    // A browser may forbid or have filled its storage.
  }
}

/** There is nothing to drive any more. */
export function forgetMessage() {
  try {
    localStorage.removeItem(storageKey)
  } catch {
    // Then nothing was kept.
  }
}
