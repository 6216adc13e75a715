import type { Session } from '#contract/sessions/sessions.ts'

/**
 * Returns the sessions that are driven, in the given order: of a named car only the newest one. An earlier session that
 * is still active is that of a phone that failed.
 */
export function drivingSessions<T extends Pick<Session, 'car' | 'startedAt'>>(
  sessions: readonly T[],
): T[] {
  const byStart = sessions.toSorted((a, b) => a.startedAt - b.startedAt)
  const newest = new Map(byStart.map(session => [session.car?.id, session]))
  return sessions.filter(session => !session.car || newest.get(session.car.id) === session)
}
