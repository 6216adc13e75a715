import type { Kysely, Transaction } from 'kysely'
import { sql } from 'kysely'
import type { EpochMs, TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import type { Television } from '#contract/televisions.ts'
import { hashOf } from '../auth/logins/issuedTokens.ts'
import { type StartedLogin, startLogin } from '../auth/logins/logins.ts'
import { nameOrEmail, type UserRow, userColumns } from '../auth/people.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Live } from '../live/publish/live.ts'
import { requireEditor, requireStillEditor } from '../rights/requireMember.ts'
import { recordTeamChange } from './teamChanges.ts'

/** Televisions of a team. With another one, the least recently used is disconnected. */
export const maxTelevisions = storedBounds.televisions.max

interface Connected {
  user: UserRow
  login: StartedLogin
}

/**
 * Creates the login of a television whose code a member has entered; null while it waits. Refuses with
 * `code-dead` once the code has expired, was used, or the member may no longer allow it.
 */
export async function collectLogin(
  { db, clock, live }: AppContext,
  { secret, userAgent }: { secret: string; userAgent: string | undefined },
): Promise<Connected | null> {
  const now = clock.now()
  const secretHash = hashOf(secret)
  const code = await db
    .selectFrom('television_codes')
    .select('team_id')
    .where('secret_hash', '=', secretHash)
    .where('expires_at', '>', new Date(now))
    .executeTakeFirst()
  if (!code) throw new Refusal('code-dead')
  if (code.team_id === null) return null
  const { ended, ...connected } = await db.transaction().execute(async trx => {
    const { team_id: teamId, allowed_by: allowedBy, name } = await consumeCode(trx, secretHash)
    await requireStillEditor(trx, teamId, allowedBy).catch(asDeadCode)
    const user = await trx
      .insertInto('users')
      .values({ is_anonymous: true, signed_in_at: new Date(now) })
      .returning(userColumns)
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('televisions')
      .values({
        user_id: user.id,
        team_id: teamId,
        name,
        allowed_by: allowedBy,
        created_at: new Date(now),
      })
      .execute()
    const login = await startLogin(trx, {
      userId: user.id,
      television: true,
      userAgent,
      now,
    })
    await recordTeamChange(trx, {
      teamId,
      kind: 'television-connected',
      actorId: allowedBy,
      personName: name,
      at: now,
    })
    return { user, login, ended: await endSurplus(trx, teamId, user.id) }
  })
  publishEndedTelevisions(live, ended)
  return connected
}

/** Deletes the code, so that it is used once. */
async function consumeCode(trx: Transaction<Tables>, secretHash: Buffer) {
  const code = await trx
    .deleteFrom('television_codes')
    .where('secret_hash', '=', secretHash)
    .returning(['team_id', 'allowed_by', 'name'])
    .executeTakeFirst()
  if (!code) throw new Refusal('code-dead')
  const { team_id, allowed_by, name } = code
  if (team_id === null || allowed_by === null || name === null) throw new Refusal('code-dead')
  return { team_id, allowed_by, name }
}

function asDeadCode(error: unknown): never {
  throw error instanceof Refusal ? new Refusal('code-dead') : error
}

/** Returns the team of a television's login; null if it was disconnected. */
export async function televisionOf(
  db: Kysely<Tables>,
  userId: UserId,
): Promise<{ teamId: TeamId; team: string } | null> {
  const row = await db
    .selectFrom('televisions')
    .innerJoin('teams', 'teams.id', 'televisions.team_id')
    .select(['teams.id', 'teams.name'])
    .where('televisions.user_id', '=', userId)
    .where('teams.deleted_at', 'is', null)
    .executeTakeFirst()
  return row ? { teamId: row.id, team: row.name } : null
}

/** Lists the televisions of a team, the newest first. The caller must have checked the membership. */
export async function listTelevisions(
  db: Kysely<Tables>,
  teamId: TeamId,
  now: EpochMs,
): Promise<Television[]> {
  const rows = await db
    .selectFrom('televisions')
    .innerJoin('logins', 'logins.user_id', 'televisions.user_id')
    .innerJoin('users', 'users.id', 'televisions.allowed_by')
    .select(['televisions.user_id', 'televisions.name', 'televisions.created_at'])
    .select(['logins.browser', 'logins.system', 'logins.last_used_at'])
    .select(nameOrEmail().as('allowed_by_name'))
    .where('televisions.team_id', '=', teamId)
    .where('logins.expires_at', '>', new Date(now))
    .orderBy('televisions.created_at', 'desc')
    .orderBy('televisions.user_id')
    .execute()
  return rows.map(row => ({
    id: row.user_id,
    name: row.name,
    browser: row.browser,
    system: row.system,
    allowedBy: row.allowed_by_name,
    createdAt: row.created_at.getTime(),
    lastUsedAt: row.last_used_at.getTime(),
  }))
}

/** Disconnects a television at once. Refuses with `not-a-member`, `view-only` or `not-found`. */
export async function removeTelevision(
  { db, clock, live }: AppContext,
  userId: UserId,
  { teamId, televisionId }: { teamId: TeamId; televisionId: string },
) {
  await requireEditor(db, teamId, userId)
  const ended = await db.transaction().execute(async trx => {
    const television = await trx
      .selectFrom('televisions')
      .select('name')
      .where('team_id', '=', teamId)
      .where('user_id', '=', televisionId)
      .forUpdate()
      .executeTakeFirst()
    if (!television) throw new Refusal('not-found')
    await recordTeamChange(trx, {
      teamId,
      kind: 'television-removed',
      actorId: userId,
      personName: television.name,
      at: clock.now(),
    })
    return endTelevisions(trx, [televisionId])
  })
  publishEndedTelevisions(live, ended)
}

export interface EndedTelevision {
  userId: UserId
  loginId: string
}

/**
 * Deletes the televisions of a team, or only the ones that a member has connected. Call `publishEndedTelevisions`
 * after the commit.
 */
export async function endTelevisionsOf(
  trx: Kysely<Tables>,
  { teamId, allowedBy }: { teamId: TeamId; allowedBy?: UserId },
): Promise<EndedTelevision[]> {
  const rows = await trx
    .selectFrom('televisions')
    .select('user_id')
    .where('team_id', '=', teamId)
    .$if(allowedBy !== undefined, query => query.where('allowed_by', '=', allowedBy ?? ''))
    .execute()
  return endTelevisions(
    trx,
    rows.map(row => row.user_id),
  )
}

async function endSurplus(trx: Kysely<Tables>, teamId: TeamId, newest: UserId) {
  const surplus = await trx
    .selectFrom('televisions')
    .leftJoin('logins', 'logins.user_id', 'televisions.user_id')
    .select('televisions.user_id')
    .where('televisions.team_id', '=', teamId)
    .where('televisions.user_id', '!=', newest)
    .orderBy(sql`logins.last_used_at desc nulls last`)
    .orderBy('televisions.created_at', 'desc')
    .offset(maxTelevisions - 1)
    .execute()
  return endTelevisions(
    trx,
    surplus.map(row => row.user_id),
  )
}

/** Deletes the users of televisions, with everything that refers to them. */
async function endTelevisions(
  trx: Kysely<Tables>,
  userIds: readonly UserId[],
): Promise<EndedTelevision[]> {
  if (userIds.length === 0) return []
  const logins = await trx
    .selectFrom('logins')
    .select(['id', 'user_id'])
    .where('user_id', 'in', userIds)
    .execute()
  await trx.deleteFrom('users').where('id', 'in', userIds).execute()
  return logins.map(({ id, user_id }) => ({ userId: user_id, loginId: id }))
}

/** Closes the live connections of televisions that ended. */
export function publishEndedTelevisions(live: Live, ended: readonly EndedTelevision[]) {
  for (const { userId, loginId } of ended) live.endLogin(userId, loginId)
}
