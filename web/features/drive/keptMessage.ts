import type { Message } from '#contract/messages.ts'
import { learnMessage } from '#web/live/messageState.ts'

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

/** Keeps it, and nothing of any other session. What is known of it already stays known. */
export function keepMessage(sessionId: string, heard: Message) {
  const known = keptMessage(sessionId)
  const message = known ? learnMessage(known, heard) : heard
  try {
    localStorage.setItem(storageKey, JSON.stringify({ sessionId, message } satisfies Kept))
  } catch {
    // A browser may forbid or have filled its storage.
  }
}

/** This version was seen by the driver, whether or not the server knows yet. */
export function keepShown(sessionId: string, version: number, shownAt: number) {
  const kept = keptMessage(sessionId)
  if (kept?.version === version) keepMessage(sessionId, { ...kept, shownAt })
}

/** There is nothing to drive any more. */
export function forgetMessage() {
  try {
    localStorage.removeItem(storageKey)
  } catch {
    // Then nothing was kept.
  }
}
