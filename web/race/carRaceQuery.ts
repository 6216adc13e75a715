import { queryOf } from '#web/api/queryOf.ts'

/** Returns what is stored about the race of the car of a session. */
export const carRaceQuery = (sessionId: string) => queryOf('carRaces.ofSession', { sessionId })
