import type { Kysely } from 'kysely'
import type { DriverId, EpochMs, SessionId, UserId } from '#contract/ids.ts'
import type { TeamChangeKind } from '#contract/teamChanges.ts'
import { eventName } from '#contract/teamEvents.ts'
import type { Tables } from '../db/schema/tables.ts'
import { recordOngoingChange, recordTeamChange } from './teamChanges.ts'

interface CarChange {
  sessionId: SessionId
  kind: TeamChangeKind
  actorId: UserId
  at: EpochMs
  /** The entered value, such as the litres or a driver of the team's list. */
  before?: string
  /** True if changes of this kind that follow each other are one entry. */
  goesOn?: boolean
  /** The driver who is entered without the list. */
  personId?: UserId
}

/** Records an entry about the car of a session in the history of its team. Call it in the transaction that makes it. */
export async function recordCarChange(
  trx: Kysely<Tables>,
  { sessionId, goesOn = false, ...change }: CarChange,
) {
  const { team_id, name, number } = await trx
    .selectFrom('sessions')
    .leftJoin('cars', 'cars.id', 'sessions.car_id')
    .select(['sessions.team_id', 'sessions.name', 'cars.number'])
    .where('sessions.id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const car = eventName({ name, car: number ?? undefined })
  const made = { ...change, teamId: team_id, after: car }
  await (goesOn ? recordOngoingChange(trx, { ...made, before: car }) : recordTeamChange(trx, made))
}

/**
 * Returns the entered driver: a name of the team's list, or the person who started the session, whose name is read with
 * the history.
 */
export async function enteredDriver(
  trx: Kysely<Tables>,
  { sessionId, driverId }: { sessionId: SessionId; driverId: DriverId | null },
): Promise<Pick<CarChange, 'before' | 'personId'>> {
  if (driverId !== null) {
    const driver = await trx
      .selectFrom('drivers')
      .select('name')
      .where('id', '=', driverId)
      .executeTakeFirst()
    if (driver) return { before: driver.name }
  }
  const { user_id } = await trx
    .selectFrom('sessions')
    .select('user_id')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return { personId: user_id }
}
