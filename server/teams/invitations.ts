import type { Kysely, Transaction } from 'kysely'
import type { EpochMs, InvitationId, TeamId, UserId } from '#contract/ids.ts'
import type { Invitation, InvitedPerson } from '#contract/invitations.ts'
import { Refusal } from '#contract/refusal.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { invitationDays } from '#contract/shared/lifetimes.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { personName } from '../auth/people.ts'
import type { Tables } from '../db/schema/tables.ts'
import { lockTeam } from '../rights/lockTeam.ts'
import { requireStillEditor } from '../rights/requireMember.ts'
import { byName } from './byName.ts'
import { recordTeamChange } from './teamChanges.ts'

/** Limits how many people one team can invite at the same time. */
const maxPendingPerTeam = storedBounds.invitations.max

/** Maximum number of listed invitations of an e-mail address, newest first. */
const maxListed = 50

export interface NewInvitation {
  teamId: TeamId
  firstName: string
  lastName: string
  email: string
}

export interface StoredInvitation {
  /** As the team sees it. */
  invited: InvitedPerson
  /** As the invited person sees it. */
  invitation: Invitation
  /** The account with this e-mail address, if any. Never part of a response to the inviter. */
  inviteeId: UserId | undefined
}

/**
 * Stores an invitation, or renews the existing one. Refuses with `already-a-member` for the e-mail address of a
 * member, which the inviter can see anyway. For all other addresses the result is the same, with or without
 * an account.
 */
export function storeInvitation(
  db: Kysely<Tables>,
  inviterId: UserId,
  { teamId, email, firstName, lastName }: NewInvitation,
  now: EpochMs,
): Promise<StoredInvitation> {
  return db.transaction().execute(async trx => {
    await lockTeam(trx, teamId)
    await requireStillEditor(trx, teamId, inviterId)
    const invitee = await trx
      .selectFrom('users')
      .leftJoin('team_access', join =>
        join.onRef('team_access.user_id', '=', 'users.id').on('team_access.team_id', '=', teamId),
      )
      .select(['users.id', 'team_access.team_id'])
      .where('users.email', '=', email)
      .executeTakeFirst()
    if (invitee?.team_id) throw new Refusal('already-a-member')
    await requireFewPending(trx, teamId, email, now)
    const values = {
      first_name: firstName,
      last_name: lastName,
      invited_by: inviterId,
      expires_at: new Date(now + invitationDays * dayMs),
    }
    const row = await trx
      .insertInto('invitations')
      .values({ team_id: teamId, email, created_at: new Date(now), ...values })
      .onConflict(conflict => conflict.columns(['team_id', 'email']).doUpdateSet(values))
      .returning(['id', 'first_name', 'last_name', 'email', 'expires_at'])
      .executeTakeFirstOrThrow()
    await recordTeamChange(trx, {
      teamId,
      kind: 'invited',
      actorId: inviterId,
      personName: `${firstName} ${lastName}`,
      at: now,
    })
    const [invitation] = await receivedWhere(trx, now, ['invitations.id', row.id])
    if (!invitation) throw new Error('A stored invitation is missing.')
    return { invited: invitedFromRow(row), invitation, inviteeId: invitee?.id }
  })
}

async function requireFewPending(
  trx: Transaction<Tables>,
  teamId: TeamId,
  email: string,
  now: EpochMs,
) {
  const { count } = await trx
    .selectFrom('invitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .where('email', '!=', email)
    .where('expires_at', '>', new Date(now))
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxPendingPerTeam) {
    throw new Refusal('too-many', { detail: 'invitations-too-many' })
  }
}

/** Returns the pending invitations of a team, by last name. */
export async function invitedTo(
  db: Kysely<Tables>,
  teamId: TeamId,
  now: EpochMs,
): Promise<InvitedPerson[]> {
  const rows = await db
    .selectFrom('invitations')
    .select(['id', 'first_name', 'last_name', 'email', 'expires_at'])
    .where('team_id', '=', teamId)
    .where('expires_at', '>', new Date(now))
    .execute()
  return rows.map(invitedFromRow).sort(byName)
}

/** Returns the invitations to a user's e-mail address, newest first. */
export async function invitationsOf(
  db: Kysely<Tables>,
  userId: UserId,
  now: EpochMs,
): Promise<Invitation[]> {
  return receivedWhere(db, now, ['invitee.id', userId])
}

/** Returns an invitation by its id, which only its mail contains. Refuses with `not-found`. */
export async function openInvitation(
  db: Kysely<Tables>,
  id: InvitationId,
  now: EpochMs,
): Promise<Invitation & { email: string }> {
  const [row] = await rowsWhere(db, now, ['invitations.id', id])
  if (!row) throw new Refusal('not-found')
  return { ...receivedFromRow(row), email: row.email }
}

async function receivedWhere(...where: Parameters<typeof rowsWhere>): Promise<Invitation[]> {
  return (await rowsWhere(...where)).map(receivedFromRow)
}

function rowsWhere(
  db: Kysely<Tables>,
  now: EpochMs,
  [column, id]: ['invitee.id' | 'invitations.id', string],
) {
  return (
    db
      .selectFrom('invitations')
      .innerJoin('teams', 'teams.id', 'invitations.team_id')
      // Accounts only have verified e-mail addresses, so the invitation is the user's.
      .leftJoin('users as invitee', 'invitee.email', 'invitations.email')
      .leftJoin('users as inviter', 'inviter.id', 'invitations.invited_by')
      .select([
        'invitations.id',
        'invitations.email',
        'invitations.expires_at',
        'teams.name',
        'inviter.first_name',
        'inviter.last_name',
      ])
      .where(column, '=', id)
      .where('invitations.expires_at', '>', new Date(now))
      .orderBy('invitations.created_at', 'desc')
      .orderBy('invitations.id')
      .limit(maxListed)
      .execute()
  )
}

function receivedFromRow(row: Awaited<ReturnType<typeof rowsWhere>>[number]): Invitation {
  return {
    id: row.id,
    teamName: row.name,
    invitedBy: personName(row) || null,
    expiresAt: row.expires_at.getTime(),
  }
}

/** Deletes invitations that can no longer be accepted. */
export async function deleteExpiredInvitations(db: Kysely<Tables>, now: EpochMs) {
  await db.deleteFrom('invitations').where('expires_at', '<=', new Date(now)).execute()
}

type InvitedRow = {
  [K in 'id' | 'email' | 'first_name' | 'last_name']: string
} & Pick<Tables['invitations'], 'expires_at'>

function invitedFromRow(row: InvitedRow): InvitedPerson {
  return {
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    expiresAt: row.expires_at.getTime(),
  }
}
