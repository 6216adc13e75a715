import type { Message, Receipt } from '#contract/messages.ts'

/** The state before the first message. */
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
 * Merges a received message into the known one: the newer version wins, and receipts of one version are
 * combined. Frames may arrive late, twice or in any order, with the same result. Returns `known` itself if
 * nothing changed.
 */
export function mergeMessage(known: Message, received: Message): Message {
  if (received.version < known.version) return known
  if (received.version > known.version) return received
  return withReceipt(known, received)
}

/** Merges a receipt. One for another version changes nothing. */
export function mergeReceipt(known: Message, version: number, received: Receipt): Message {
  return version === known.version ? withReceipt(known, received) : known
}

function withReceipt(known: Message, received: Receipt): Message {
  const reachedAt = earliest(known.reachedAt, received.reachedAt)
  const shownAt = earliest(known.shownAt, received.shownAt)
  const copiedAt = earliest(known.copiedAt, received.copiedAt)
  const same =
    reachedAt === known.reachedAt && shownAt === known.shownAt && copiedAt === known.copiedAt
  return same ? known : { ...known, reachedAt, shownAt, copiedAt }
}

// Each stage happens once: of two times the first is right.
function earliest(a: number | null, b: number | null): number | null {
  if (a === null) return b
  if (b === null) return a
  return Math.min(a, b)
}
