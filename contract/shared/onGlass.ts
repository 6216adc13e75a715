import { isObeyable, isPitCall, isSafetyOrder } from './messageTypes.ts'

/** A message as far as its size on screens depends on it. */
export interface GlassMessage {
  readonly type: string | null
  readonly ask?: boolean | undefined
  /** When it was pressed. */
  readonly pressedAt: number | null
  readonly shownAt: number | null
  /** When the driver acknowledged it. */
  readonly copiedAt: number | null
}

interface Visit {
  readonly startedAt: number
  readonly endedAt: number | null
  /** Time at which the car came to a standstill in its box; null before. */
  readonly stoppedAt: number | null
}

/** `full` fills the driver's screen now; `small` is a plate of what the driver has answered or obeyed. */
export type SizeOnGlass = 'full' | 'small' | 'gone'

/** An answered question stays for this long, and as a plate until the next pit exit or for 20 minutes. */
const answeredShownMs = 3000
const keptMs = 20 * 60_000

/** In the pits a message that the driver has not acknowledged fills the screen for this long. */
const unreadShownMs = 10_000

/** A message that a stop has replaced stays as a plate for this long after the exit. */
const replacedShownMs = 5 * 60_000

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
  const last = visits.at(-1)
  const earlier = visits.slice(0, -1)
  if (earlier.some(visit => visit === stop || isReplacedBy(visit, message, nowMs))) return 'gone'
  const afterExitMs = nowMs - (last?.endedAt ?? nowMs)
  // It is never full again: the next driver would read it as a new order.
  const later = afterExitMs < replacedShownMs ? 'small' : 'gone'
  if (last && isReplacedBy(last, message, nowMs)) return later
  if (!stop || stop.endedAt === null) return 'full'
  return afterExitMs < clearedWithinMs ? 'gone' : later
}

/** A PIT that is pressed this long after the car came in is a new one: positions may be missing since. */
const longestStopMs = 10 * 60_000

/**
 * Returns whether a stop replaces a message. In the pits it replaces PIT, earlier messages, and what the driver has read;
 * later, those that the driver acknowledged before it, which the next driver would read as new. Never ABORT.
 */
function isReplacedBy(
  { startedAt, stoppedAt, endedAt }: Visit,
  { type, pressedAt, shownAt, copiedAt }: GlassMessage,
  nowMs: number,
): boolean {
  if (type === null || pressedAt === null || type === 'Abort') return false
  const isSafety = isSafetyOrder(type)
  if (endedAt !== null)
    return (
      stoppedAt !== null &&
      !isSafety &&
      !isObeyable(type) &&
      copiedAt !== null &&
      copiedAt < stoppedAt
    )
  if (isPitCall(type)) return pressedAt < startedAt + longestStopMs
  const isRead = copiedAt !== null || (shownAt !== null && nowMs - shownAt >= unreadShownMs)
  return isRead || (!isSafety && pressedAt < startedAt)
}

/**
 * Returns the visit to the pits with which the driver obeyed PIT or FUEL, pressed before the car stood in its box; null
 * before, and for any other message.
 */
export function stopOf<V extends Visit>(
  { type, ask, pressedAt }: Omit<GlassMessage, 'shownAt' | 'copiedAt'>,
  visits: readonly V[],
): V | null {
  if (ask || !isObeyable(type) || pressedAt === null) return null
  return visits.find(({ startedAt, stoppedAt }) => (stoppedAt ?? startedAt) > pressedAt) ?? null
}
