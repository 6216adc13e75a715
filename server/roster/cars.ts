import type { Transaction } from 'kysely'
import type { CarId, SessionId, TeamId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Car } from '#contract/roster.ts'
import { isUniqueViolation } from '../db/errors.ts'
import type { Tables } from '../db/schema/tables.ts'
import { recordTeamChange } from '../teams/teamChanges.ts'
import type { RosterAuthor } from './changeRoster.ts'
import { nextPosition, requireRoom } from './sortRoster.ts'

type SavedCar = Omit<Car, 'archived'>

/**
 * Adds a car at the end of the team's list, or changes the one with this id, which is then no longer archived. Returns
 * the active sessions that name it. Refuses with `not-found` if the id belongs to another team's car.
 */
export async function saveCar(
  trx: Transaction<Tables>,
  { teamId, car }: { teamId: TeamId; car: SavedCar },
  author: RosterAuthor,
): Promise<SessionId[]> {
  await requireRoom(trx, { what: 'cars', teamId, id: car.id })
  const before = await trx
    .selectFrom('cars')
    .select('archived_at')
    .where('id', '=', car.id)
    .executeTakeFirst()
  const values = {
    number: car.number,
    name: car.name,
    class: car.carClass,
    tank_l: car.tankL,
    reserve_l: car.reserveL,
    burn_l: car.burnL,
    archived_at: null,
  }
  const saved = await trx
    .insertInto('cars')
    .values({
      id: car.id,
      team_id: teamId,
      position: await nextPosition(trx, 'cars', teamId),
      ...values,
    })
    .onConflict(conflict =>
      conflict.column('id').doUpdateSet(values).where('cars.team_id', '=', teamId),
    )
    .returning('id')
    .executeTakeFirst()
    .catch((error: unknown) => {
      if (isUniqueViolation(error, 'cars_by_number'))
        throw new Refusal('invalid-input', { fields: { 'car.number': 'car-number-taken' } })
      throw error
    })
  if (!saved) throw new Refusal('not-found')
  if (!before || before.archived_at !== null)
    await recordTeamChange(trx, { ...author, teamId, kind: 'car-added', after: car.number })
  return activeSessionsOf(trx, teamId, car.id)
}

/**
 * Deletes a car, or archives it if a session, a race or a plan names it: a race without its only named car would have
 * every car of the team, and a plan made by hand would be deleted with the car. Returns the active sessions that name
 * it.
 */
export async function removeCar(
  trx: Transaction<Tables>,
  { teamId, carId }: { teamId: TeamId; carId: CarId },
  author: RosterAuthor,
): Promise<SessionId[]> {
  // A session that starts with this car holds the row until its commit.
  const car = await trx
    .selectFrom('cars')
    .select(['number', 'archived_at'])
    .where('team_id', '=', teamId)
    .where('id', '=', carId)
    .forUpdate()
    .executeTakeFirst()
  if (!car) return []
  const named = await trx
    .selectFrom('sessions')
    .select('car_id')
    .where('team_id', '=', teamId)
    .where('car_id', '=', carId)
    .unionAll(trx.selectFrom('race_cars').select('car_id').where('car_id', '=', carId))
    .unionAll(trx.selectFrom('race_plans').select('car_id').where('car_id', '=', carId))
    .limit(1)
    .executeTakeFirst()
  if (named)
    await trx
      .updateTable('cars')
      .set({ archived_at: new Date(author.at) })
      .where('id', '=', carId)
      .where('archived_at', 'is', null)
      .execute()
  else await trx.deleteFrom('cars').where('id', '=', carId).execute()
  if (car.archived_at === null)
    await recordTeamChange(trx, { ...author, teamId, kind: 'car-removed', after: car.number })
  return activeSessionsOf(trx, teamId, carId)
}

async function activeSessionsOf(
  trx: Transaction<Tables>,
  teamId: TeamId,
  carId: CarId,
): Promise<SessionId[]> {
  const rows = await trx
    .selectFrom('sessions')
    .select('id')
    .where('team_id', '=', teamId)
    .where('car_id', '=', carId)
    .where('status', '=', 'Active')
    .execute()
  return rows.map(({ id }) => id)
}
