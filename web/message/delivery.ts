import type { DeviceTime } from '#client/deviceTime.ts'
import type { Message, MessageType } from '#contract/messages.ts'
import { messageText } from '#web/text/message.ts'

/** Delivery state of the team's message, for the receipt below the word. Ages in milliseconds. */
export type Delivery =
  /** No message yet, or a cleared one that the driver's screen shows as clear, too. */
  | { readonly stage: 'none' }
  /** The request to the server is pending. */
  | { readonly stage: 'sending'; readonly ageMs: number }
  /** The server has it. */
  | { readonly stage: 'sent'; readonly ageMs: number }
  /** The driver's phone has it but has not shown it: locked, or another app in front. */
  | { readonly stage: 'reached'; readonly ageMs: number }
  /**
   * It expired before the driver's screen could show it.
   */
  | { readonly stage: 'expired' }
  /** Painted on a visible screen, this long after the press. */
  | {
      readonly stage: 'shown'
      readonly shownAfterMs: number
      readonly ageMs: number
      /** Time since then, once the driver should have acknowledged the order on the board. */
      readonly uncopiedMs?: number
    }
  | {
      readonly stage: 'copied'
      readonly shownAfterMs: number
      readonly copiedAfterMs: number
      readonly ageMs: number
    }

/** A press that the server has not acknowledged yet. */
export interface Press {
  readonly type: MessageType | null
  /** It is a question. */
  readonly ask: boolean
  /** The colour of an own word. */
  readonly colour?: Message['colour']
  /** While no phone is in the car, it goes to all of its phones. */
  readonly toCar?: boolean
  readonly pressedAt: DeviceTime
  /** Idempotency key: a retry under the same id is never stored twice. */
  readonly commandId: string
}

/** A message that the driver has not seen this long after the press is late: its age is shown in red. */
export const lateAfterMs = 3000

/** A driver who has not acknowledged an order this long after it was shown may not have read it. */
export const uncopiedAfterMs = 15_000

/** Delivery state of the board: of the pending press if there is one, else of the message. `nowMs` is server time. */
export function deliveryOf(message: Message, pending: Press | null, nowMs: number): Delivery {
  if (pending) return { stage: 'sending', ageMs: since(pending.pressedAt.at, nowMs) }
  if (message.version === 0) return { stage: 'none' }
  const stored = storedDelivery(message, nowMs)
  if (message.type === null && isOnScreen(stored)) return { stage: 'none' }
  if (stored.stage !== 'shown' || message.ask) return stored
  const uncopiedMs = stored.ageMs - stored.shownAfterMs
  return uncopiedMs < uncopiedAfterMs ? stored : { ...stored, uncopiedMs }
}

/** Delivery state of a message that the server has. */
export function storedDelivery(
  message: Pick<
    Message,
    'pressedAt' | 'sentAt' | 'carriedOver' | 'reachedAt' | 'shownAt' | 'copiedAt' | 'expiresAt'
  >,
  nowMs: number,
): Exclude<Delivery, { stage: 'none' | 'sending' }> {
  const { copiedAt } = message
  const pressedAt = pressedAtOf(message) ?? nowMs
  const shownAt = message.shownAt ?? copiedAt
  const ageMs = since(pressedAt, nowMs)
  if (shownAt !== null) {
    const shownAfterMs = since(pressedAt, shownAt)
    if (copiedAt === null) return { stage: 'shown', shownAfterMs, ageMs }
    return { stage: 'copied', shownAfterMs, copiedAfterMs: since(pressedAt, copiedAt), ageMs }
  }
  if (isExpired(message, nowMs)) return { stage: 'expired' }
  // "Reached" and "shown" usually follow within a moment: only a delay is worth showing.
  const isLate = message.reachedAt !== null && ageMs >= lateAfterMs
  return { stage: isLate ? 'reached' : 'sent', ageMs }
}

/** When somebody pressed, or the message was carried over to this phone; null before the first message. */
export function pressedAtOf({
  pressedAt,
  sentAt,
  carriedOver,
}: Pick<Message, 'pressedAt' | 'sentAt' | 'carriedOver'>): number | null {
  return carriedOver ? sentAt : (pressedAt ?? sentAt)
}

/**
 * Whether a message has expired: if the driver's phone has not shown it by `nowMs` (server time), it no longer
 * does (M6).
 */
export function isExpired({ expiresAt }: Pick<Message, 'expiresAt'>, nowMs: number): boolean {
  return expiresAt !== null && nowMs >= expiresAt
}

/** Whether the driver is known to see the message on the board. */
export function isOnScreen(delivery: Delivery): boolean {
  return delivery.stage === 'shown' || delivery.stage === 'copied'
}

function since(fromMs: number, toMs: number): number {
  return Math.max(0, toMs - fromMs)
}

/** Adds to a receipt where the message comes from, if no person has sent it to this phone. */
export function withOrigin(
  receipt: string,
  { carriedOver, byPlan }: Pick<Message, 'carriedOver' | 'byPlan'>,
): string {
  if (carriedOver) return messageText.carriedOver(receipt)
  return byPlan ? messageText.byPlan(receipt) : receipt
}
