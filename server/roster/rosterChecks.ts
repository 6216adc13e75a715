import type { Kysely } from 'kysely'
import type { CarId, DriverId, TeamId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Refuses a car of another team. Accepts archived cars, and null: no car. */
export async function requireCarOfTeam(trx: Kysely<Tables>, teamId: TeamId, carId: CarId | null) {
  if (carId === null) return null
  const car = await trx
    .selectFrom('cars')
    .select('archived_at')
    .where('team_id', '=', teamId)
    .where('id', '=', carId)
    .forKeyShare()
    .executeTakeFirst()
  if (!car) throw new Refusal('not-found')
  return car
}

/** Refuses a car that is archived or belongs to another team. Accepts null: no car. */
export async function requireCar(trx: Kysely<Tables>, teamId: TeamId, carId: CarId | null) {
  const car = await requireCarOfTeam(trx, teamId, carId)
  if (car?.archived_at) throw new Refusal('invalid-input', { fields: { carId: 'car-archived' } })
}

/** Refuses a driver of another team. Accepts archived drivers, and null: the person who started the session. */
export async function requireDriverOfTeam(
  trx: Kysely<Tables>,
  teamId: TeamId,
  driverId: DriverId | null,
) {
  if (driverId === null) return null
  const driver = await trx
    .selectFrom('drivers')
    .select('archived_at')
    .where('team_id', '=', teamId)
    .where('id', '=', driverId)
    .forKeyShare()
    .executeTakeFirst()
  if (!driver) throw new Refusal('not-found')
  return driver
}

/** Refuses a driver who is archived or belongs to another team. Accepts null: the person who started the session. */
export async function requireActiveDriver(
  trx: Kysely<Tables>,
  teamId: TeamId,
  driverId: DriverId | null,
) {
  const driver = await requireDriverOfTeam(trx, teamId, driverId)
  if (driver?.archived_at)
    throw new Refusal('invalid-input', { fields: { driverId: 'driver-archived' } })
}
