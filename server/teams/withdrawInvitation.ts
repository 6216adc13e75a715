import { type Kysely, sql } from 'kysely'
import type { InvitationId, TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { requireEditor } from '../rights/requireMember.ts'
import { recordTeamChange } from './teamChanges.ts'

export interface Withdrawn {
  id: InvitationId
  /** The account with the invited e-mail address, if there is one. */
  inviteeId: UserId | null
}

/** Withdraws an invitation, which any member but a viewer may do. */
export async function withdrawInvitation(
  { db, live, clock }: Pick<AppContext, 'db' | 'live' | 'clock'>,
  userId: UserId,
  { teamId, invitationId }: { teamId: TeamId; invitationId: InvitationId },
) {
  await requireEditor(db, teamId, userId)
  const withdrawn = await db.transaction().execute(async trx => {
    const deleted = await deleteFrom(trx, teamId).where('id', '=', invitationId).execute()
    for (const { typedName } of deleted)
      await recordTeamChange(trx, {
        teamId,
        kind: 'invitation-withdrawn',
        actorId: userId,
        personName: typedName,
        at: clock.now(),
      })
    return deleted
  })
  if (withdrawn.length === 0) throw new Refusal('not-found')
  publishWithdrawn(live, teamId, withdrawn)
}

/**
 * Deletes the pending invitations that a member made. The caller publishes their withdrawal after the
 * commit.
 */
export function deleteInvitationsBy(
  db: Kysely<Tables>,
  { teamId, userId }: { teamId: TeamId; userId: UserId },
): Promise<Withdrawn[]> {
  return deleteFrom(db, teamId).where('invited_by', '=', userId).execute()
}

/** Deletes all pending invitations of a team, whose withdrawal the caller publishes after the commit. */
export function deleteInvitations(db: Kysely<Tables>, teamId: TeamId): Promise<Withdrawn[]> {
  return deleteFrom(db, teamId).execute()
}

/** Notifies the invited people and the team. */
export function publishWithdrawn(live: AppContext['live'], team: TeamId, withdrawn: Withdrawn[]) {
  for (const { id, inviteeId } of withdrawn) {
    if (inviteeId !== null) {
      live.publish(`user:${inviteeId}`, { t: 'invitation-removed', invitation: id })
    }
    live.publish(`team:${team}`, { t: 'invited-removed', team, invited: id })
  }
}

function deleteFrom(db: Kysely<Tables>, teamId: TeamId) {
  return db
    .deleteFrom('invitations')
    .where('team_id', '=', teamId)
    .returning(eb => [
      'id',
      sql<string>`first_name || ' ' || last_name`.as('typedName'),
      eb
        .selectFrom('users')
        .select('users.id')
        .whereRef('users.email', '=', 'invitations.email')
        .as('inviteeId'),
    ])
}
