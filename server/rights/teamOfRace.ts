import type { Kysely } from 'kysely'
import type { RaceId, TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Tables } from '../db/schema/tables.ts'
import { requireReader } from './requireMember.ts'

/** Returns the team of a race, for its members. Refuses everybody else with `not-a-member`. */
export async function teamOfRace(
  db: Kysely<Tables>,
  raceId: RaceId,
  userId: UserId,
): Promise<TeamId> {
  const row = await db
    .selectFrom('races')
    .innerJoin('team_access', 'team_access.team_id', 'races.team_id')
    .select('races.team_id')
    .where('races.id', '=', raceId)
    .where('team_access.user_id', '=', userId)
    .executeTakeFirst()
  if (!row) throw new Refusal('not-a-member')
  return row.team_id
}

/**
 * Locks a race, and the runs of its cars, until the end of the transaction. Lock sessions after it. Refuses with
 * `not-a-member` if the race does not exist.
 */
export async function lockRace(trx: Kysely<Tables>, raceId: RaceId) {
  const race = await trx
    .selectFrom('races')
    .select('id')
    .where('id', '=', raceId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!race) throw new Refusal('not-a-member')
}

/** Requires a member or a television of the team of a race. Refuses everybody else with `not-a-member`. */
export async function requireRaceReader(db: Kysely<Tables>, raceId: RaceId, userId: UserId) {
  const race = await db
    .selectFrom('races')
    .select('team_id')
    .where('id', '=', raceId)
    .executeTakeFirst()
  if (!race) throw new Refusal('not-a-member')
  await requireReader(db, race.team_id, userId)
}
