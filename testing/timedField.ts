import type { Kysely } from 'kysely'
import type { RaceId } from '#contract/ids.ts'
import type { Tables } from '#server/db/schema/tables.ts'

// Lines of a feed of two cars, and the official timing after them.

export const start = [
  '$B,5,"Race 1"',
  '$C,1,"GT"',
  '$A,"1","17",1,"","","",1',
  '$A,"2","382",2,"","","",1',
  '$F,9999,"01:00:00","14:00:00","00:00:00","Green "',
]
export const laps = [
  '$G,1,"2",1,"00:02:00.000"',
  '$G,2,"1",1,"00:02:03.250"',
  '$F,9999,"00:57:00","14:03:00","00:03:00","Yellow"',
]

export const expected = {
  skippedLines: 0,
  run: {
    name: 'Race 1',
    flag: 'Yellow',
    timeToGoMs: 3_420_000,
    standings: [
      { position: 1, number: '382', laps: 1, toLeader: null },
      { position: 2, number: '17', classPosition: 2, toAhead: { laps: 0, ms: 3250 } },
    ],
  },
}

/** Returns the id of the feed of a race. */
export async function feedIdOf(db: Kysely<Tables>, raceId: RaceId): Promise<string> {
  const { id } = await db
    .selectFrom('race_timings')
    .select('id')
    .where('race_id', '=', raceId)
    .executeTakeFirstOrThrow()
  return id
}
