import type { Message, Receipt } from '#contract/messages.ts'

/** Before anything was ever sent. */
export const noMessage: Message = {
  version: 0,
  type: null,
  pressedAt: null,
  sentAt: null,
  sentBy: null,
  reachedAt: null,
  shownAt: null,
  copiedAt: null,
  expiresAt: null,
}

/**
 * What is known after hearing of a message: the newer version wins, and of one version the
 * receipts add up. Frames may come late, twice or in any order; the answer is the same.
 * Returns `known` itself when nothing is new.
 */
export function mergeMessage(known: Message, heard: Message): Message {
  if (heard.version < known.version) return known
  if (heard.version > known.version) return heard
  return withReceipt(known, heard)
}

/** The same for a receipt alone. One for another version than the known one says nothing here. */
export function mergeReceipt(known: Message, version: number, heard: Receipt): Message {
  return version === known.version ? withReceipt(known, heard) : known
}

function withReceipt(known: Message, heard: Receipt): Message {
  const reachedAt = earliest(known.reachedAt, heard.reachedAt)
  const shownAt = earliest(known.shownAt, heard.shownAt)
  const copiedAt = earliest(known.copiedAt, heard.copiedAt)
  const same =
    reachedAt === known.reachedAt && shownAt === known.shownAt && copiedAt === known.copiedAt
  return same ? known : { ...known, reachedAt, shownAt, copiedAt }
}

// Each stage happens once: if two times are heard, the first is the true one.
function earliest(a: number | null, b: number | null): number | null {
  if (a === null) return b
  if (b === null) return a
  return Math.min(a, b)
}
