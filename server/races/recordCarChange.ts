import type { Kysely } from 'kysely'
import type { DriverId, EpochMs, SessionId, UserId } from '#contract/ids.ts'
import type { TeamChangeKind } from '#contract/teamChanges.ts'
import { eventName } from '#contract/teamEvents.ts'
import { personName } from '../auth/people.ts'
import type { Tables } from '../db/schema/tables.ts'
import { recordTeamChange } from '../teams/teamChanges.ts'

interface CarChange {
  sessionId: SessionId
  kind: TeamChangeKind
  actorId: UserId
  at: EpochMs
  /** What was entered, such as the litres or the driver. */
  before?: string
}

/** Records an entry about the car of a session in the history of its team. Call it in the transaction that makes it. */
export async function recordCarChange(trx: Kysely<Tables>, { sessionId, ...change }: CarChange) {
  const { team_id, name, number } = await trx
    .selectFrom('sessions')
    .leftJoin('cars', 'cars.id', 'sessions.car_id')
    .select(['sessions.team_id', 'sessions.name', 'cars.number'])
    .where('sessions.id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const car = eventName({ name, car: number ?? undefined })
  await recordTeamChange(trx, { ...change, teamId: team_id, after: car })
}

/** Returns the name of a driver of the team's list; without one that of the person who started the session. */
export async function driverName(
  trx: Kysely<Tables>,
  { sessionId, driverId }: { sessionId: SessionId; driverId: DriverId | null },
): Promise<string> {
  const driver =
    driverId === null
      ? undefined
      : await trx.selectFrom('drivers').select('name').where('id', '=', driverId).executeTakeFirst()
  if (driver) return driver.name
  const person = await trx
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.first_name', 'users.last_name'])
    .where('sessions.id', '=', sessionId)
    .executeTakeFirst()
  return (person && personName(person)) ?? ''
}
