import { type Kysely, sql, type Transaction } from 'kysely'
import type { TeamId, UserId } from '#contract/ids.ts'
import type { JoinRequest } from '#contract/joinCodes.ts'
import { Refusal } from '#contract/refusal.ts'
import { isOnOneDevice } from '../auth/logins/loginKind.ts'
import { personName } from '../auth/people.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { lockTeam } from '../rights/lockTeam.ts'
import { requireEditor, requireStillEditor } from '../rights/requireMember.ts'
import { endLoginsWithoutTeam } from './endLoginsWithoutTeam.ts'
import { addJoined, publishJoined } from './joinTeam.ts'
import { isMember } from './members.ts'
import { publishTeamChanged } from './teamChanged.ts'
import { recordTeamChange } from './teamChanges.ts'

/** Identifies a request to join. */
interface RequestKey {
  teamId: TeamId
  userId: UserId
}

type Context = Pick<AppContext, 'db' | 'live' | 'clock'>

/** Lists the pending requests to join, for members who may answer. Refuses with `not-a-member` or `view-only`. */
export async function joinRequests(
  db: Kysely<Tables>,
  userId: UserId,
  teamId: TeamId,
): Promise<JoinRequest[]> {
  await requireEditor(db, teamId, userId)
  const rows = await db
    .selectFrom('join_requests as r')
    .innerJoin('join_codes as c', 'c.id', 'r.code_id')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .select(['u.id', 'u.first_name', 'u.last_name', 'u.email', 'r.created_at', 'r.takes_over'])
    .select('c.role')
    .leftJoinLateral(
      eb =>
        eb
          .selectFrom('logins')
          .select(['browser', 'system'])
          .whereRef('logins.user_id', '=', 'r.user_id')
          .orderBy('logins.created_at', 'desc')
          .limit(1)
          .as('login'),
      join => join.onTrue(),
    )
    .select(['login.browser', 'login.system'])
    .where('r.team_id', '=', teamId)
    .orderBy('r.created_at')
    .orderBy('r.user_id')
    .execute()
  return rows.map(row => ({
    userId: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    browser: row.browser,
    system: row.system,
    askedAt: row.created_at.getTime(),
    role: row.role,
    takesOver: row.takes_over !== null,
  }))
}

/**
 * Lets a person in. Idempotent: the first answer of a member counts. A person who claims the name of a member, but has
 * an account or a team of their own by now, joins as a new member. Refuses with `not-a-member`, `view-only`,
 * `not-found` if another member turned them away, `invalid-input` if the team is full, and `address-needed` if they
 * take over a name and the caller has no e-mail.
 */
export async function letIn(context: Context, callerId: UserId, { teamId, userId }: RequestKey) {
  const { db, live, clock } = context
  const now = clock.now()
  const done = await db.transaction().execute(async trx => {
    await lockTeam(trx, teamId)
    await requireStillEditor(trx, teamId, callerId)
    const request = await consumeRequest(trx, { teamId, userId })
    if (!request) {
      if (await isMember(trx, teamId, userId)) return null
      throw new Refusal('not-found')
    }
    const { role, takes_over } = request
    if (takes_over !== null && (await isNew(trx, userId))) {
      await requireEmail(trx, callerId)
      const ended = await takeOver(trx, { teamId, userId, memberId: takes_over })
      await recordTeamChange(trx, {
        teamId,
        kind: 'taken-over',
        actorId: callerId,
        personId: takes_over,
        at: now,
      })
      return { ended }
    }
    const member = await addJoined(trx, { teamId, userId, role, now })
    await recordTeamChange(trx, {
      teamId,
      kind: 'let-in',
      actorId: callerId,
      personId: userId,
      at: now,
    })
    return { member }
  })
  if (done?.member) return publishJoined(context, teamId, done.member)
  for (const each of done?.ended ?? []) live.endLogin(each.userId, each.loginId)
  await publishTeamChanged(context, teamId)
}

/** Rejects a request to join, and deletes an account that was made for it. Refuses like `letIn`. */
export async function turnAway(context: Context, callerId: UserId, { teamId, userId }: RequestKey) {
  const { db, live, clock } = context
  const ended = await db.transaction().execute(async trx => {
    await lockTeam(trx, teamId)
    await requireStillEditor(trx, teamId, callerId)
    const request = await consumeRequest(trx, { teamId, userId })
    if (!request) throw new Refusal('not-found')
    const person = await trx
      .selectFrom('users')
      .select(['first_name', 'last_name'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    await recordTeamChange(trx, {
      teamId,
      kind: 'turned-away',
      actorId: callerId,
      personName: personName(person),
      at: clock.now(),
    })
    return endWait(trx, userId, request)
  })
  for (const loginId of ended) live.endLogin(userId, loginId)
  await publishTeamChanged(context, teamId)
}

/**
 * Withdraws the caller's own request to join, and deletes an account that was made for it. The use of the code is not
 * restored: otherwise one code would admit any number of requests. Refuses with `not-found`.
 */
export async function withdrawRequest(
  context: Context,
  userId: UserId,
  { teamId }: { teamId: TeamId },
) {
  const { db, live } = context
  const ended = await db.transaction().execute(async trx => {
    await lockTeam(trx, teamId)
    if (!(await consumeRequest(trx, { teamId, userId }))) throw new Refusal('not-found')
    return endLoginsWithoutTeam(trx, userId)
  })
  for (const loginId of ended) live.endLogin(userId, loginId)
  await publishTeamChanged(context, teamId)
}

/** Restores the use of the code, and ends an account that was made for the request. Returns the ended logins. */
async function endWait(
  trx: Transaction<Tables>,
  userId: UserId,
  { code_id }: { code_id: string },
): Promise<string[]> {
  await trx
    .updateTable('join_codes')
    .set(({ eb }) => ({ uses: eb('uses', '-', 1) }))
    .where('id', '=', code_id)
    .execute()
  return endLoginsWithoutTeam(trx, userId)
}

/** Deletes the request and returns it. Only one of concurrent answers finds it. */
async function consumeRequest(trx: Transaction<Tables>, { teamId, userId }: RequestKey) {
  const request = await trx
    .deleteFrom('join_requests')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .returning(['code_id', 'takes_over'])
    .executeTakeFirst()
  if (!request) return null
  const { role } = await trx
    .selectFrom('join_codes')
    .select('role')
    .where('id', '=', request.code_id)
    .executeTakeFirstOrThrow()
  return { ...request, role }
}

async function requireEmail(trx: Transaction<Tables>, userId: UserId) {
  const { email } = await trx
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (email === null) throw new Refusal('address-needed')
}

/** True for a person without a team and without another way to sign in than this browser. */
async function isNew(trx: Transaction<Tables>, userId: UserId): Promise<boolean> {
  const person = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where(isOnOneDevice)
    .where(sql<boolean>`not exists (select from memberships where user_id = ${userId})`)
    .forUpdate()
    .executeTakeFirst()
  return person !== undefined
}

/**
 * Gives the new browser the account of the member, and ends the member's other logins. Refuses with `not-found` if they
 * have left, or have added an e-mail or a passkey since. Returns the ended logins.
 */
async function takeOver(
  trx: Transaction<Tables>,
  { teamId, userId, memberId }: RequestKey & { memberId: UserId },
) {
  const member = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', memberId)
    .where(isOnOneDevice)
    .forUpdate()
    .executeTakeFirst()
  if (!member || !(await isMember(trx, teamId, memberId))) throw new Refusal('not-found')
  const old = await trx
    .deleteFrom('logins')
    .where('user_id', '=', memberId)
    .returning('id')
    .execute()
  const moved = await trx
    .updateTable('logins')
    .set({ user_id: memberId })
    .where('user_id', '=', userId)
    .returning('id')
    .execute()
  // Requests to other teams end with the user, whom a job deletes once no row refers to them.
  await trx.deleteFrom('join_requests').where('user_id', '=', userId).execute()
  return [
    ...old.map(({ id }) => ({ userId: memberId, loginId: id })),
    // Pages of the new browser connect again, as the member.
    ...moved.map(({ id }) => ({ userId, loginId: id })),
  ]
}
