import type { Session } from '#contract/sessions.ts'

/** A session with the evidence that it is driven: its phone's contact, and when it crossed the line. */
interface DrivenSession extends Pick<Session, 'car' | 'startedAt' | 'lastDriverContactAt'> {
  /** When it last crossed the line; null if it has not, or its laps are unknown. */
  readonly crossedAt: number | null
}

/** A phone has failed if its last contact is this long before that of the next phone: dead zones are shorter. */
const failedAfterMs = 5 * 60_000
/** A phone is in the car if it crossed the line this long after the other one. */
const laterMs = 60_000

/**
 * Returns the sessions that are driven, in the given order: one of each named car. It is the newest one, because an
 * earlier one that is still active is usually that of a phone that failed. The newest one may still wait in the pits:
 * until it crosses the line, an earlier one that has crossed it counts if its phone is in contact.
 */
export function drivingSessions<T extends DrivenSession>(sessions: readonly T[]): T[] {
  const driven = new Map<string, T>()
  for (const session of sessions.toSorted((a, b) => a.startedAt - b.startedAt)) {
    if (!session.car) continue
    const earlier = driven.get(session.car.id)
    if (!earlier || !drivesOn(earlier, session)) driven.set(session.car.id, session)
  }
  return sessions.filter(session => !session.car || driven.get(session.car.id) === session)
}

/** True if the car is still driven with the earlier phone. */
function drivesOn(earlier: DrivenSession, newer: DrivenSession): boolean {
  if (earlier.crossedAt === null || earlier.lastDriverContactAt === null) return false
  if (earlier.lastDriverContactAt < (newer.lastDriverContactAt ?? 0) - failedAfterMs) return false
  return newer.crossedAt === null || newer.crossedAt < earlier.crossedAt - laterMs
}
