import { queryOf } from '#web/api/queryOf.ts'

/** The source sends about once a second. */
const everyMs = 2000

export const timingQuery = (raceId: string) =>
  queryOf('timing.ofRace', { raceId }, { refetchInterval: everyMs })
