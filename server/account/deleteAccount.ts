import { type Kysely, sql } from 'kysely'
import type { DriverId, TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { requireRecentSignIn } from '../auth/passkeys.ts'
import { deletedUser, personName } from '../auth/people.ts'
import type { AppContext, Caller } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { lockedAgainstFixes, lockedInOrder } from '../db/lockedInOrder.ts'
import type { Tables } from '../db/schema/tables.ts'
import { causeOf } from '../mail/causeOf.ts'
import { accountDeletedMail } from '../mail/templates.ts'
import { deleteUserPositions } from '../races/deleteOwnPositions.ts'
import { driverOfPerson } from '../races/driverOfPerson.ts'
import { endedAt, publishEndings } from '../races/endSession.ts'
import { publishRoster } from '../roster/changeRoster.ts'
import { driversOf } from '../roster/roster.ts'
import { leaveTeam } from '../teams/leave.ts'
import { publishTeamChanged } from '../teams/teamChanged.ts'

/** Earlier than any deletion that can still be undone. */
const longAgo = new Date(0)

/**
 * Deletes the caller's account, whose e-mail address, if any, they have typed. Their sessions end, their positions are
 * deleted, they leave their teams, and a team without other members is deleted with everything in it. Sessions and
 * messages of other teams stay, of a "Deleted user". Each step may be repeated: after a failure the caller is still signed
 * in and tries again. Refuses with `invalid-input` if the e-mail address is another one, `recent-sign-in-needed`,
 * `too-many` or `not-ready`.
 */
export async function deleteAccount(
  context: AppContext,
  caller: Caller,
  typedEmail: string | undefined,
) {
  const { db, clock, live } = context
  const { userId } = caller
  await requireRecentSignIn(db, caller, clock.now())
  const user = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) throw new Refusal('not-signed-in')
  const { email } = user
  if (email !== (typedEmail ?? null))
    throw new Refusal('invalid-input', { fields: { email: 'email-not-yours' } })

  await endSessions(context, userId)
  await deleteUserPositions(context, userId)
  const teams = await leaveTeams(context, userId)
  // Another page of the user may have started a session before they left its team.
  if (await endSessions(context, userId)) await deleteUserPositions(context, userId)
  const { logins, invited, renamed } = await db
    .transaction()
    .execute(trx => removeUser(trx, userId, email))

  for (const { id, team_id: team } of invited)
    live.publish(`team:${team}`, { t: 'invited-removed', team, invited: id })
  // Open pages of the members show the new name in sessions and messages.
  for (const team of teams) await publishTeamChanged(context, team)
  for (const team of new Set(renamed)) await publishRoster(context, team)
  for (const { id } of logins) live.endLogin(userId, id)
  if (email === null) return
  void context.mailer.send({ to: email, ...accountDeletedMail() }).catch((error: unknown) => {
    context.log.error({ cause: causeOf(error) }, 'failed to send a mail about a deleted account')
  })
}

/** Ends the user's sessions, and all of teams without another member. Returns whether there were any. */
async function endSessions(context: AppContext, userId: UserId): Promise<boolean> {
  const { db, clock } = context
  const active = lockedAgainstFixes(db)
    .where('status', '=', 'Active')
    .where(({ or, eb, not }) =>
      or([
        eb('user_id', '=', userId),
        eb('team_id', 'in', ownTeams(db, userId).where(not(isShared(userId)))),
      ]),
    )
  const ended = await db
    .updateTable('sessions')
    .set(endedAt(clock.now()))
    .where('id', 'in', active)
    .returning(['id', 'team_id'])
    .execute()
  await publishEndings(context, ended)
  return ended.length > 0
}

/** Leaves all teams. The last member's team is deleted with that. Returns the teams of other people. */
async function leaveTeams(context: AppContext, userId: UserId): Promise<TeamId[]> {
  const rows = await ownTeams(context.db, userId).select(isShared(userId).as('isShared')).execute()
  for (const { team_id } of rows) await leaveTeam(context, team_id, userId)
  return rows.filter(({ isShared }) => isShared).map(({ team_id }) => team_id)
}

function ownTeams(db: Kysely<Tables>, userId: UserId) {
  return db.selectFrom('team_access as own').select('own.team_id').where('own.user_id', '=', userId)
}

/** SQL on `own`: true if the team has another member. */
function isShared(userId: UserId) {
  return sql<boolean>`exists (
    select from team_access other where other.team_id = own.team_id and other.user_id <> ${userId}
  )`
}

/**
 * Removes everything that identifies the user, and everything only they need. The row stays, because sessions
 * and messages of other people's teams refer to it; without any, a job deletes it within a day.
 */
async function removeUser(trx: Kysely<Tables>, userId: UserId, email: string | null) {
  // Teams that they deleted, also just now as the last member: nobody could restore them any more.
  await trx
    .updateTable('teams')
    .set({ deleted_at: longAgo, owner_id: null })
    .where('owner_id', '=', userId)
    .where('deleted_at', 'is not', null)
    .execute()
  await sql`delete from memberships where user_id = ${userId}`.execute(trx)
  const invited = await trx
    .deleteFrom('invitations')
    .where('email', '=', email)
    .returning(['id', 'team_id'])
    .execute()
  await trx.deleteFrom('notification_choices').where('user_id', '=', userId).execute()
  await trx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await trx.deleteFrom('login_codes').where('email', '=', email).execute()
  await trx.deleteFrom('support_signals').where('user_id', '=', userId).execute()
  const logins = await trx
    .deleteFrom('logins')
    .where('user_id', '=', userId)
    .returning('id')
    .execute()
  await trx
    .updateTable('sessions')
    .set({ auto_pit_by: null })
    .where('id', 'in', lockedInOrder(trx).where('auto_pit_by', '=', userId))
    .execute()
  const renamed = await renameDrivers(trx, userId)
  await trx
    .updateTable('users')
    .set({ ...deletedUser, email: null, is_anonymous: true, joined: false })
    .where('id', '=', userId)
    .execute()
  return { logins, invited, renamed }
}

/** Renames the roster drivers that represent a user, by link or by name, and links them. Returns their teams. */
async function renameDrivers(trx: Kysely<Tables>, userId: UserId): Promise<TeamId[]> {
  const started = await trx
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['team_id', 'user_id', 'first_name', 'last_name'])
    .distinct()
    .where('user_id', '=', userId)
    .execute()
  const ids: (DriverId | null)[] = []
  for (const { team_id, ...starter } of started)
    ids.push(driverOfPerson(await driversOf(trx, team_id), starter))
  const rows = await trx
    .updateTable('drivers')
    .set({ user_id: userId, name: personName(deletedUser) })
    .where(({ or, eb }) =>
      or([
        eb('user_id', '=', userId),
        isOneOf(
          'drivers.id',
          ids.filter(id => id !== null),
        ),
      ]),
    )
    .returning('team_id')
    .execute()
  return rows.map(({ team_id }) => team_id)
}
