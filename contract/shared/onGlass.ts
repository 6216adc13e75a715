import { isObeyable, isSafetyOrder } from './messageTypes.ts'

/** A message as far as its size on screens depends on it. */
export interface GlassMessage {
  readonly type: string | null
  readonly ask?: boolean | undefined
  /** When it was pressed. */
  readonly pressedAt: number | null
  readonly shownAt: number | null
}

interface Visit {
  readonly startedAt: number
  readonly endedAt: number | null
}

/** `full` fills the driver's screen now; `small` is a plate of what the driver has answered or obeyed. */
export type SizeOnGlass = 'full' | 'small' | 'gone'

/** An answered question stays for this long, and as a plate until the next pit exit or for 20 minutes. */
const answeredShownMs = 3000
const keptMs = 20 * 60_000

/** The server clears an obeyed order within this time after the pit exit. It clears none if it does not know the pit lane. */
const clearedWithinMs = 15_000

/**
 * Returns how large a message is on every screen: of the driver, of the pit wall and of its car. `answeredAt` is when the
 * driver answered the question; `visits` are those of the car to the pits, in order of time.
 */
export function sizeOnGlass(
  message: GlassMessage,
  answeredAt: number | null,
  visits: readonly Visit[],
  nowMs: number,
): SizeOnGlass {
  if (message.type === null) return 'gone'
  if (message.ask) {
    if (answeredAt === null || nowMs - answeredAt < answeredShownMs) return 'full'
    const hasLeft = visits.some(({ endedAt }) => endedAt !== null && endedAt > answeredAt)
    return hasLeft || nowMs - answeredAt >= keptMs ? 'gone' : 'small'
  }
  // A word that the driver has not seen never shrinks.
  if (message.shownAt === null) return 'full'
  const stop = stopOf(message, visits)
  if (!stop) return isBeforeStop(message, visits.at(-1)) ? 'small' : 'full'
  if (stop.endedAt === null) return message.type === 'Pit' ? 'small' : 'full'
  // It stays small: the next driver would read it as a new order.
  return nowMs - stop.endedAt < clearedWithinMs ? 'gone' : 'small'
}

/** Whether the car is in the pits, and the message was sent before: the stop takes its place, unless it concerns safety. */
function isBeforeStop({ type, pressedAt }: GlassMessage, visit: Visit | undefined): boolean {
  if (type === null || pressedAt === null || isSafetyOrder(type)) return false
  return visit !== undefined && visit.endedAt === null && visit.startedAt > pressedAt
}

/** Returns the visit to the pits with which the driver obeyed PIT or FUEL; null before, and for any other message. */
export function stopOf<V extends Visit>(
  { type, ask, pressedAt }: Omit<GlassMessage, 'shownAt'>,
  visits: readonly V[],
): V | null {
  if (ask || !isObeyable(type) || pressedAt === null) return null
  return visits.find(({ startedAt }) => startedAt > pressedAt) ?? null
}
