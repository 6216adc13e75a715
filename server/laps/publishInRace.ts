import type { Kysely } from 'kysely'
import type { RaceId, SessionId } from '#contract/ids.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Live } from '../live/publish/live.ts'
import { publishRace } from '../live/publish/publishRace.ts'

interface Context {
  db: Kysely<Tables>
  live: Pick<Live, 'publish'>
}

/** Calls `publishRace` for the active sessions of a race, whose screens show all its cars, without some of them. */
export async function publishActiveInRace(
  { db, live }: Context,
  raceId: RaceId,
  without: readonly SessionId[] = [],
) {
  const active = await db
    .selectFrom('sessions')
    .select(['id', 'team_id'])
    .where('race_id', '=', raceId)
    .where('status', '=', 'Active')
    .execute()
  for (const { id, team_id } of active) if (!without.includes(id)) publishRace(live, team_id, [id])
}

/**
 * Calls `publishRace` for the other active sessions of a session's race after its laps or visits to the pits changed, which
 * are those of its car. Not while its phone is in the car: screens of the car receive the laps of that one from its room.
 */
export async function publishOthersInRace(context: Context, sessionId: SessionId) {
  const session = await context.db
    .selectFrom('sessions')
    .select('race_id')
    .where('id', '=', sessionId)
    .where('car_id', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('car_runs')
            .select('from_at')
            .whereRef('car_runs.session_id', '=', 'sessions.id')
            .where('until_at', 'is', null),
        ),
      ),
    )
    .executeTakeFirst()
  if (session?.race_id) await publishActiveInRace(context, session.race_id, [sessionId])
}
