import type { Message, MessageType } from '#contract/messages.ts'

/** How far what the team sent has come, for the receipt under the word. Ages in milliseconds. */
export type Delivery =
  /** Nothing was sent, or the screen was cleared and the driver's is clear too. */
  | { readonly stage: 'none' }
  /** On its way to the server. */
  | { readonly stage: 'sending'; readonly ageMs: number }
  /** The server has it. */
  | { readonly stage: 'sent'; readonly ageMs: number }
  /** The driver's phone has it, but did not show it: locked, or another app in front. */
  | { readonly stage: 'reached'; readonly ageMs: number }
  /** It came too late for the driver's screen, or never came: it will not be shown. */
  | { readonly stage: 'expired' }
  /** Painted on a visible screen, so long after the tap. */
  | { readonly stage: 'shown'; readonly tookMs: number }
  | { readonly stage: 'copied' }

/** A press that the server has not answered yet. */
export interface Press {
  readonly type: MessageType | null
  /** By the server's clock. */
  readonly pressedAt: number
  /** Trying it again under the same id never sends it twice. */
  readonly commandId: string
}

/** An age is told once the driver has not seen it for this long. */
export const tellAgeAfterMs = 3000

/** The delivery of what is on the board: the pending press if there is one, else the message. */
export function deliveryOf(message: Message, pending: Press | null, nowMs: number): Delivery {
  if (pending) return { stage: 'sending', ageMs: since(pending.pressedAt, nowMs) }
  if (message.version === 0) return { stage: 'none' }
  const pressedAt = message.pressedAt ?? message.sentAt ?? nowMs
  const shownAt = message.shownAt ?? message.copiedAt
  if (message.type === null && shownAt !== null) return { stage: 'none' }
  if (message.copiedAt !== null) return { stage: 'copied' }
  if (shownAt !== null) return { stage: 'shown', tookMs: since(pressedAt, shownAt) }
  if (message.expiresAt !== null && nowMs >= message.expiresAt) return { stage: 'expired' }
  const ageMs = since(pressedAt, nowMs)
  // For a moment "reached" and "shown" follow each other anyway: only a delay is worth a line.
  const isLate = message.reachedAt !== null && ageMs >= tellAgeAfterMs
  return { stage: isLate ? 'reached' : 'sent', ageMs }
}

/** Whether the driver is known to see what the board says. */
export function isOnScreen(delivery: Delivery): boolean {
  return delivery.stage === 'shown' || delivery.stage === 'copied'
}

function since(fromMs: number, toMs: number): number {
  return Math.max(0, toMs - fromMs)
}
