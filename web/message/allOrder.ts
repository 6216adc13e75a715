import type { Message, MessageType } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import { wallText } from '#web/text/wall.ts'
import { deliveryOf, isOnScreen } from './delivery.ts'
import { laneName } from './laneName.ts'
import type { Lane } from './lanes.ts'
import { mayGoToAll } from './useSendToAll.ts'

/** An order that all cars have. */
export interface AllOrder {
  readonly type: MessageType
  /** When the last car got it. */
  readonly sentAt: number
  readonly count: number
  /** How many driver's screens show it. */
  readonly shown: number
  /** How many drivers have acknowledged it. */
  readonly copied: number
  /** Plates of the cars whose screens do not. */
  readonly missing: readonly string[]
}

/** Returns the order that all cars have, of those that make sense for all; null if there is none, or only one car. */
export function allOrder(
  lanes: readonly Lane[],
  messageOf: (session: Session) => Message | null,
  nowMs: number,
): AllOrder | null {
  if (lanes.length < 2) return null
  const cars = lanes.map(({ session }) => ({
    plate: laneName(session).plate,
    message: messageOf(session) ?? session.message,
  }))
  const type = cars[0]?.message.type ?? null
  if (type === null || !mayGoToAll(type)) return null
  if (cars.some(({ message }) => message.type !== type || message.ask)) return null
  const missing = cars
    .filter(({ message }) => !isOnScreen(deliveryOf(message, null, nowMs)))
    .map(({ plate }) => plate)
  return {
    type,
    sentAt: greatestOf(cars.map(({ message }) => message.sentAt ?? nowMs)),
    count: cars.length,
    shown: cars.length - missing.length,
    copied: cars.filter(({ message }) => message.copiedAt !== null).length,
    missing,
  }
}

/** Returns how many drivers have acknowledged the order once all screens show it, else which screens do not. */
export function allReceipt({
  shown,
  copied,
  count,
  missing,
}: Pick<AllOrder, 'shown' | 'copied' | 'count' | 'missing'>): string {
  return missing.length === 0 && copied > 0
    ? wallText.copiedBy(copied, count)
    : wallText.shownOn(shown, count, missing)
}
