import { queryOf } from '#web/api/queryOf.ts'

/** Poll interval; the source sends about once a second. */
const pollMs = 2000

export const timingQuery = (raceId: string) =>
  queryOf('timing.ofRace', { raceId }, { refetchInterval: pollMs })
