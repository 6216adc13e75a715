import type { MessageType } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import { wallText } from '#web/text/wall.ts'
import { deliveryOf, isOnScreen } from './delivery.ts'
import { laneName } from './laneName.ts'
import type { Lane } from './lanes.ts'
import { mayGoToAll } from './useSendToAll.ts'

/** An order that all cars have whose data link is on. */
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

/**
 * Returns the order that all cars have, of those that make sense for all; null if there is none, or only one car. A car
 * whose data link is off cannot have it: it counts as one whose screen does not show it.
 */
export function allOrder(
  lanes: readonly Lane[],
  sessionOf: (session: Session) => Session | null,
  nowMs: number,
): AllOrder | null {
  if (lanes.length < 2) return null
  const cars = lanes.map(({ session }) => {
    const { dataLink, message } = sessionOf(session) ?? session
    return { plate: laneName(session).plate, dataLink, message }
  })
  const linked = cars.filter(({ dataLink }) => dataLink)
  const type = linked[0]?.message.type ?? null
  if (linked.length < 2 || type === null || !mayGoToAll(type)) return null
  if (linked.some(({ message }) => message.type !== type || message.ask)) return null
  const missing = cars
    .filter(({ dataLink, message }) => !dataLink || !isOnScreen(deliveryOf(message, null, nowMs)))
    .map(({ plate }) => plate)
  return {
    type,
    sentAt: greatestOf(linked.map(({ message }) => message.sentAt ?? nowMs)),
    count: cars.length,
    shown: cars.length - missing.length,
    copied: linked.filter(({ message }) => message.copiedAt !== null).length,
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
