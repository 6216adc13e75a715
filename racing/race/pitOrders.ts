import { leastOf } from '#contract/shared/extremes.ts'
import { isPitCall } from '#contract/shared/messageTypes.ts'
import { stopOf } from '#contract/shared/onGlass.ts'
import type { LaidPlan } from './carPlan.ts'
import type { CarRace } from './carRace.ts'
import { raceMsAt } from './raceClock.ts'

/** A message in the log of a phone of the car. */
export interface OrderedMessage {
  readonly version: number
  readonly type: string | null
  readonly ask?: boolean | undefined
  readonly pressedAt: number | null
  readonly sentAt: number | null
  /** When the driver's screen showed it; null: it did not. */
  readonly shownAt: number | null
  readonly expiresAt: number | null
  /** Present if the plan sent it. */
  readonly byPlan?: true | undefined
}

/** The sender of the PIT for a stop: a member of the team, or the plan. */
export type CalledBy = 'order' | 'plan'

/**
 * Returns the sender of PIT for each driven stint that ended with a stop after it, and for the current stint while PIT
 * is on the driver's screen, by the number of the stint. Each log has the messages of one phone, the newest first.
 */
export function pitOrders(
  { race, visits }: Pick<CarRace, 'race' | 'visits'>,
  { plan, request }: LaidPlan,
  { logs, nowMs }: { logs: readonly (readonly OrderedMessage[])[]; nowMs: number },
): ReadonlyMap<number, CalledBy> {
  const called = new Map<number, CalledBy>()
  if (!race || race.startedAt === null) return called
  const times = { ...race, lengthMs: request.raceMs }
  // A message that one phone of the car showed also replaces an older one on another phone.
  const messages = logs
    .flat()
    .filter(({ sentAt, shownAt }) => sentAt !== null && shownAt !== null)
    .toSorted((a, b) => (b.sentAt ?? 0) - (a.sentAt ?? 0))
  for (const [index, message] of messages.entries()) {
    const { type, ask, pressedAt, expiresAt, byPlan } = message
    if (!isPitCall(type) || ask || pressedAt === null) continue
    const stop = stopOf(message, visits)
    const replacedAt = messages[index - 1]?.sentAt ?? null
    const untilAt = leastOf([replacedAt, expiresAt].filter(at => at !== null))
    if (stop ? stop.startedAt > untilAt : untilAt <= nowMs) continue
    const atMs = raceMsAt(times, stop?.startedAt ?? nowMs)
    const stint = plan.stints.findLast(({ fromMs, state }) => state !== 'next' && fromMs <= atMs)
    const endedMs = stop && raceMsAt(times, stop.endedAt ?? nowMs)
    // A stop without a driver change does not end the stint.
    const isLast =
      stint?.state === 'driven' ? endedMs !== null && endedMs >= stint.toMs : stop?.endedAt == null
    if (stint && isLast) called.set(stint.number, byPlan ? 'plan' : 'order')
  }
  return called
}
