import { queryOf } from '#web/api/queryOf.ts'

/** Poll interval; the source sends about once a second. */
const pollMs = 2000

/** Names change with a driver, or between two runs. */
const namesPollMs = 30_000

export const timingQuery = (raceId: string) =>
  queryOf('timing.ofRace', { raceId }, { refetchInterval: pollMs })

/** The names of the cars of the run on the track, for members who are not viewers. */
export const namesQuery = (raceId: string) =>
  queryOf('timing.names', { raceId }, { refetchInterval: namesPollMs })
