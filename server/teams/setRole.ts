import type { Transaction } from 'kysely'
import type { TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { TeamChangeKind } from '#contract/teamChanges.ts'
import type { Member, TeamRole } from '#contract/teams.ts'
import { userById } from '../auth/people.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { publishRace } from '../live/publish/publishRace.ts'
import { endAutoPitBy } from '../rights/endAutoPitBy.ts'
import { lockAsOwner } from '../rights/lockTeam.ts'
import { memberFromRow } from './members.ts'
import { publishTeamChanged } from './teamChanged.ts'
import { recordTeamChange } from './teamChanges.ts'

interface RoleChange {
  teamId: TeamId
  userId: UserId
  role: TeamRole
}

/**
 * Changes a member's role; `owner` hands the team over to them, `viewer` turns off the automatic PIT that they turned
 * on. Only the owner may. Refuses with `not-a-member`, `not-the-owner`, `too-many`, `not-found` if that user is not a
 * member, or `invalid-input` if the owner would take another role without handing the team over, or would hand it to
 * somebody without an e-mail and a passkey. Idempotent: a role that the member already has is not recorded.
 */
export async function setRole(
  { db, live, clock }: Pick<AppContext, 'db' | 'live' | 'clock'>,
  callerId: UserId,
  change: RoleChange,
): Promise<Member> {
  const { teamId, userId, role } = change
  const { member, changed, autoPits } = await db.transaction().execute(async trx => {
    await lockAsOwner(trx, teamId, callerId)
    if (userId === callerId && role !== 'owner') throw new Refusal('invalid-input')
    const before = await memberIn(trx, change)
    const changed = userId !== callerId && before.role !== role
    if (!changed) return { member: before, changed, autoPits: [] }
    if (role === 'owner') await requireAccount(trx, userId)
    await storeRole(trx, change)
    await recordTeamChange(trx, {
      teamId,
      kind: changeKinds[role],
      actorId: callerId,
      personId: userId,
      at: clock.now(),
    })
    const autoPits = role === 'viewer' ? await endAutoPitBy(trx, { teamId, userId }) : []
    return { member: await memberIn(trx, change), changed, autoPits }
  })
  if (!changed) return member
  live.publish(`team:${teamId}`, { t: 'member-changed', team: teamId, member })
  publishRace(live, teamId, autoPits)
  await publishTeamChanged({ db, live }, teamId)
  return member
}

/** Refuses with `invalid-input` for somebody without an e-mail and a passkey. */
async function requireAccount(trx: Transaction<Tables>, userId: UserId) {
  const user = await userById(trx, userId)
  if (user?.kind !== 'account')
    throw new Refusal('invalid-input', { detail: 'owner-needs-account' })
}

const changeKinds = {
  owner: 'handed-over',
  member: 'made-member',
  viewer: 'made-viewer',
} as const satisfies Record<TeamRole, TeamChangeKind>

async function storeRole(trx: Transaction<Tables>, { teamId, userId, role }: RoleChange) {
  await trx
    .updateTable('team_access')
    .set({ role: role === 'viewer' ? 'viewer' : 'member' })
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .execute()
  if (role === 'owner')
    await trx.updateTable('teams').set({ owner_id: userId }).where('id', '=', teamId).execute()
}

async function memberIn(
  trx: Transaction<Tables>,
  { teamId, userId }: Pick<RoleChange, 'teamId' | 'userId'>,
): Promise<Member> {
  const row = await trx
    .selectFrom('team_users_view')
    .select(['id', 'first_name', 'last_name', 'email', 'role'])
    .where('team_id', '=', teamId)
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!row) throw new Refusal('not-found')
  return memberFromRow(row)
}
