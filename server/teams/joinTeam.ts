import { type Kysely, sql, type Transaction } from 'kysely'
import type { z } from 'zod'
import type { EpochMs, TeamId, UserId } from '#contract/ids.ts'
import type { joinCodes } from '#contract/joinCodes.ts'
import { Refusal } from '#contract/refusal.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import type { Member, MemberRole } from '#contract/teams.ts'
import { isOnOneDevice } from '../auth/logins/loginKind.ts'
import { type StartedLogin, startLogin } from '../auth/logins/logins.ts'
import type { AppContext, Caller } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { lockTeam } from '../rights/lockTeam.ts'
import { type FoundCode, findCode } from './joinCodes.ts'
import {
  endRequest,
  isMember,
  memberFromRow,
  requireRoomForMember,
  requireRoomForTeam,
} from './members.ts'
import { publishTeamChanged } from './teamChanged.ts'
import { recordTeamChange } from './teamChanges.ts'
import { teamOf } from './teams.ts'

interface Joining {
  code: string
  ip: string
  userAgent: string | undefined
  /** The person of this browser, if they are known. */
  caller: Caller | null
  firstName?: string | undefined
  lastName?: string | undefined
  isSame?: boolean | undefined
}

interface Joined {
  teamId: TeamId
  state: 'in' | 'waiting' | 'same-name'
  /** The login of a new person. */
  login?: StartedLogin
}

/**
 * Joins a team with a code: at once, or by a request that a member answers. Without a caller it creates a person with
 * the typed name and a login for their browser. Claiming the name of a member without an e-mail always needs an answer.
 * Refuses like `findCode`, with `invalid-input` without a name, if the team is full, and if too many people wait.
 */
export async function joinTeam(context: AppContext, joining: Joining): Promise<Joined> {
  const { db, clock } = context
  const found = await findCode(context, joining)
  const { caller, isSame } = joining
  const { teamId } = found
  const name = caller ? null : nameIn(joining)
  const namesake = name && isSame !== false && (await memberNamed(db, teamId, name))
  if (namesake && isSame === undefined) return { teamId, state: 'same-name' }
  const now = clock.now()
  const joined = await db.transaction().execute(async trx => {
    await lockTeam(trx, teamId)
    if (caller && (await isMember(trx, teamId, caller.userId)))
      return { state: 'in' as const, newcomer: null }
    const { userId, login } = caller
      ? { userId: caller.userId }
      : await newPerson(trx, { ...name, userAgent: joining.userAgent, now })
    const takesOver = namesake ? namesake.id : null
    if (!found.asks && takesOver === null) {
      await consumeUse(trx, found, now)
      const newcomer = await addJoined(trx, { teamId, userId, role: found.role, now })
      await recordTeamChange(trx, { teamId, kind: 'joined', actorId: userId, at: now })
      return { state: 'in' as const, newcomer, login }
    }
    const request = await trx
      .insertInto('join_requests')
      .values({
        team_id: teamId,
        user_id: userId,
        code_id: found.id,
        takes_over: takesOver,
        created_at: new Date(now),
      })
      .onConflict(conflict => conflict.columns(['team_id', 'user_id']).doNothing())
      .returning('user_id')
      .executeTakeFirst()
    if (request) {
      await requireRoomForRequest(trx, teamId)
      await consumeUse(trx, found, now)
    }
    return { state: 'waiting' as const, newcomer: null, login, asks: request?.user_id }
  })
  if (joined.newcomer) await publishJoined(context, teamId, joined.newcomer)
  else if (joined.state === 'waiting') await publishTeamChanged(context, teamId)
  if (joined.asks) context.events.recordJoinRequest({ teamId, userId: joined.asks })
  return { teamId, state: joined.state, ...(joined.login && { login: joined.login }) }
}

function nameIn({ firstName, lastName }: Joining) {
  if (firstName === undefined || lastName === undefined)
    throw new Refusal('invalid-input', {
      fields: {
        ...(firstName === undefined && { firstName: 'missing' as const }),
        ...(lastName === undefined && { lastName: 'missing' as const }),
      },
    })
  return { firstName, lastName }
}

/** Finds a member who joined by a code, has neither an e-mail nor a passkey, and has this name in any spelling. */
function memberNamed(
  db: Kysely<Tables>,
  teamId: TeamId,
  { firstName, lastName }: { firstName: string; lastName: string },
) {
  return db
    .selectFrom('team_access')
    .innerJoin('users', 'users.id', 'team_access.user_id')
    .select('users.id')
    .where('team_id', '=', teamId)
    .where(isOnOneDevice)
    .where(sql<boolean>`folded(users.first_name) = folded(${firstName})`)
    .where(sql<boolean>`folded(users.last_name) = folded(${lastName})`)
    .orderBy('team_access.created_at')
    .executeTakeFirst()
}

interface NewPerson {
  firstName?: string
  lastName?: string
  userAgent: string | undefined
  now: EpochMs
}

async function newPerson(
  trx: Transaction<Tables>,
  { firstName, lastName, userAgent, now }: NewPerson,
): Promise<{ userId: UserId; login?: StartedLogin }> {
  const { id: userId } = await trx
    .insertInto('users')
    .values({
      first_name: firstName ?? null,
      last_name: lastName ?? null,
      is_anonymous: true,
      joined: true,
      signed_in_at: new Date(now),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { userId, login: await startLogin(trx, { userId, userAgent, now }) }
}

/** Refuses with `invalid-input` if the team has too many pending requests. The caller holds the lock of the team. */
async function requireRoomForRequest(trx: Transaction<Tables>, teamId: TeamId) {
  const waiting = await trx
    .selectFrom('join_requests')
    .select('user_id')
    .where('team_id', '=', teamId)
    .limit(storedBounds.joinRequests.max + 1)
    .execute()
  if (waiting.length > storedBounds.joinRequests.max)
    throw new Refusal('invalid-input', { detail: 'requests-too-many' })
}

/** Counts a use. If two people take the last one, the second is refused. */
async function consumeUse(trx: Transaction<Tables>, { id }: FoundCode, now: EpochMs) {
  const used = await trx
    .updateTable('join_codes')
    .set(({ eb }) => ({ uses: eb('uses', '+', 1) }))
    .where('id', '=', id)
    .where('expires_at', '>', new Date(now))
    .whereRef('uses', '<', 'max_uses')
    .returning('id')
    .executeTakeFirst()
  if (!used) throw new Refusal('not-found', { detail: 'join-code-used-up' })
}

/** Adds a member in the role of their code. Refuses with `invalid-input` if the team is full. The team is locked. */
export async function addJoined(
  trx: Transaction<Tables>,
  added: { teamId: TeamId; userId: UserId; role: MemberRole; now: EpochMs },
): Promise<Member> {
  const { teamId, userId, role, now } = added
  await trx
    .insertInto('team_access')
    .values({ team_id: teamId, user_id: userId, role, created_at: new Date(now) })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  await endRequest(trx, added)
  await requireRoomForMember(trx, teamId)
  await requireRoomForTeam(trx, userId)
  const row = await trx
    .selectFrom('team_users_view')
    .select(['id', 'first_name', 'last_name', 'email', 'role'])
    .where('team_id', '=', teamId)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return memberFromRow(row)
}

/** Publishes a new member to the team and to their own pages. */
export async function publishJoined(
  { db, live }: Pick<AppContext, 'db' | 'live'>,
  teamId: TeamId,
  member: Member,
) {
  live.publish(`user:${member.id}`, {
    t: 'team-added',
    team: await teamOf(db, teamId, member.id),
  })
  live.publish(`team:${teamId}`, { t: 'member-added', team: teamId, member })
  await publishTeamChanged({ db, live }, teamId)
}

/** Returns whether a person is in a team, waits for an answer, or neither; `not-in` without a login. */
export async function joinState(
  db: Kysely<Tables>,
  caller: Caller | null,
  teamId: TeamId,
): Promise<z.output<typeof joinCodes.state.output>> {
  if (!caller) return { state: 'not-in' }
  const row = await db
    .selectFrom('teams')
    .leftJoin('team_access', join =>
      join
        .onRef('team_access.team_id', '=', 'teams.id')
        .on('team_access.user_id', '=', caller.userId),
    )
    .leftJoin('join_requests', join =>
      join
        .onRef('join_requests.team_id', '=', 'teams.id')
        .on('join_requests.user_id', '=', caller.userId),
    )
    .select(['name', 'role', 'join_requests.code_id'])
    .where('teams.id', '=', teamId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row?.role) return { state: 'in', team: row.name, role: row.role }
  return row?.code_id ? { state: 'waiting', team: row.name } : { state: 'not-in' }
}
