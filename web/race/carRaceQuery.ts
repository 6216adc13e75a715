import { queryOf } from '#web/api/queryOf.ts'

/**
 * Data of a race that no screen has followed for this long is forgotten: a screen that shows it first, until the answer to
 * its request, would show figures and rules of before.
 */
export const forgottenAfterMs = 10_000

/** Returns what is stored about the race of the car of a session. */
export const carRaceQuery = (sessionId: string) =>
  queryOf('carRaces.ofSession', { sessionId }, { gcTime: forgottenAfterMs })
