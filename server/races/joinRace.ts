import type { Kysely } from 'kysely'
import type { CarId, RaceId, TeamId } from '#contract/ids.ts'
import type { Tables } from '../db/schema/tables.ts'

/**
 * Returns the race that a session joins when it starts or gets this car: the team's race that has not ended, if it names the car or no
 * car at all. Null without one.
 */
export async function raceToJoin(
  db: Kysely<Tables>,
  { teamId, carId }: { teamId: TeamId; carId: CarId | null },
): Promise<RaceId | null> {
  const race = await db
    .selectFrom('races')
    .select('id')
    .where('team_id', '=', teamId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (!race) return null
  const cars = await db
    .selectFrom('race_cars')
    .select('car_id')
    .where('race_id', '=', race.id)
    .execute()
  const joins = cars.length === 0 || cars.some(({ car_id }) => car_id === carId)
  return joins ? race.id : null
}
