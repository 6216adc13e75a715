import type { Transaction } from 'kysely'
import type { DriverId, SessionId, TeamId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { RosterDriver } from '#contract/roster.ts'
import type { Tables } from '../db/schema/tables.ts'
import { recordTeamChange } from '../teams/teamChanges.ts'
import type { RosterAuthor } from './changeRoster.ts'
import { nextPosition, requireRoom } from './sortRoster.ts'

type SavedDriver = Omit<RosterDriver, 'archived'>

/**
 * Adds a driver at the end of the team's list, or changes the one with this id, who is then no longer archived. Returns
 * the active sessions whose stints name the driver. Refuses with `not-found` if the id belongs to another team's driver.
 */
export async function saveDriver(
  trx: Transaction<Tables>,
  { teamId, driver }: { teamId: TeamId; driver: SavedDriver },
  author: RosterAuthor,
): Promise<SessionId[]> {
  await requireRoom(trx, { what: 'drivers', teamId, id: driver.id })
  await requireLinkable(trx, teamId, driver)
  const before = await trx
    .selectFrom('drivers')
    .select('archived_at')
    .where('id', '=', driver.id)
    .executeTakeFirst()
  const values = { name: driver.name, user_id: driver.userId, archived_at: null }
  const saved = await trx
    .insertInto('drivers')
    .values({
      id: driver.id,
      team_id: teamId,
      position: await nextPosition(trx, 'drivers', teamId),
      ...values,
    })
    .onConflict(conflict =>
      conflict.column('id').doUpdateSet(values).where('drivers.team_id', '=', teamId),
    )
    .returning('id')
    .executeTakeFirst()
  if (!saved) throw new Refusal('not-found')
  if (!before || before.archived_at !== null)
    await recordTeamChange(trx, { ...author, teamId, kind: 'driver-added', after: driver.name })
  return activeSessionsOf(trx, driver.id)
}

/** Refuses a link to somebody outside the team, except one that is stored: that person has left the team. */
async function requireLinkable(
  trx: Transaction<Tables>,
  teamId: TeamId,
  { id, userId }: SavedDriver,
) {
  if (userId === null) return
  const linkable = await trx
    .selectFrom('team_access')
    .select('user_id')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .union(
      trx
        .selectFrom('drivers')
        .select(eb => eb.ref('user_id').$notNull().as('user_id'))
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .where('user_id', '=', userId),
    )
    .executeTakeFirst()
  if (!linkable)
    throw new Refusal('invalid-input', { fields: { 'driver.userId': 'driver-not-member' } })
}

/** Deletes a driver, or archives them if a stint names them. Returns the active sessions whose stints name them. */
export async function removeDriver(
  trx: Transaction<Tables>,
  { teamId, driverId }: { teamId: TeamId; driverId: DriverId },
  author: RosterAuthor,
): Promise<SessionId[]> {
  // A driver change to this driver holds the row until its commit.
  const driver = await trx
    .selectFrom('drivers')
    .select(['name', 'archived_at'])
    .where('team_id', '=', teamId)
    .where('id', '=', driverId)
    .forUpdate()
    .executeTakeFirst()
  if (!driver) return []
  const named = await trx
    .selectFrom('stints')
    .select('id')
    .where('driver_id', '=', driverId)
    .limit(1)
    .executeTakeFirst()
  if (named)
    await trx
      .updateTable('drivers')
      .set({ archived_at: new Date(author.at) })
      .where('id', '=', driverId)
      .where('archived_at', 'is', null)
      .execute()
  else await trx.deleteFrom('drivers').where('id', '=', driverId).execute()
  if (driver.archived_at === null)
    await recordTeamChange(trx, { ...author, teamId, kind: 'driver-removed', after: driver.name })
  return activeSessionsOf(trx, driverId)
}

async function activeSessionsOf(
  trx: Transaction<Tables>,
  driverId: DriverId,
): Promise<SessionId[]> {
  const rows = await trx
    .selectFrom('stints')
    .innerJoin('sessions', 'sessions.id', 'stints.session_id')
    .select('sessions.id')
    .distinct()
    .where('stints.driver_id', '=', driverId)
    .where('stints.removed_at', 'is', null)
    .where('sessions.status', '=', 'Active')
    .execute()
  return rows.map(({ id }) => id)
}
