import type { Kysely } from 'kysely'
import type { TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Person } from '#contract/users.ts'
import { personFromRow } from '../auth/people.ts'
import type { Tables } from '../db/tables.ts'
import { stayWithin } from '../limits.ts'
import { causeOf } from '../mail/causeOf.ts'
import { invitationMail } from '../mail/templates.ts'
import type { Parts } from '../parts.ts'
import { requireMember } from './members.ts'
import { teamOf } from './teams.ts'

interface Invitation {
  teamId: TeamId
  firstName: string
  lastName: string
  email: string
}

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/**
 * Adds a person to a team by e-mail and mails them. Somebody new is known from then on by the name
 * the inviter gave, until they sign up themselves. The membership stands even if the mail fails:
 * then `mail-not-sent` is refused, and inviting again sends the mail again.
 */
export async function invite(
  parts: Parts,
  inviterId: UserId,
  invitation: Invitation,
): Promise<Person> {
  const { db, live } = parts
  await requireMember(db, invitation.teamId, inviterId)
  await stayWithinLimits(db, inviterId, invitation.email)
  const { person, team, isNew, inviter } = await db.transaction().execute(async trx => {
    const user = await userByEmail(trx, invitation)
    const added = await trx
      .insertInto('team_access')
      .values({ team_id: invitation.teamId, user_id: user.id })
      .onConflict(conflict => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst()
    // Who never signed in may have missed the first mail: they are invited again.
    if (!added && user.signed_in_at) throw new Refusal('already-a-member')
    return {
      person: personFromRow(user),
      isNew: !user.signed_in_at,
      team: await teamOf(trx, invitation.teamId, user.id),
      inviter: await trx
        .selectFrom('users')
        .select(['id', 'first_name', 'last_name', 'email'])
        .where('id', '=', inviterId)
        .executeTakeFirstOrThrow(),
    }
  })
  live.publish(`user:${person.id}`, { t: 'team-added', team })
  live.publish(`team:${team.id}`, { t: 'member-added', team: team.id, member: person })
  await mailInvitation(parts, invitation, team.name, personFromRow(inviter), isNew)
  return person
}

async function userByEmail(db: Kysely<Tables>, { email, firstName, lastName }: Invitation) {
  const columns = ['id', 'first_name', 'last_name', 'email', 'signed_in_at'] as const
  await db
    .insertInto('users')
    .values({ email, first_name: firstName, last_name: lastName })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return db.selectFrom('users').select(columns).where('email', '=', email).executeTakeFirstOrThrow()
}

async function mailInvitation(
  { mailer, publicUrl, log }: Parts,
  { email, firstName }: Invitation,
  teamName: string,
  inviter: Person,
  isNew: boolean,
) {
  const inviterName = [inviter.firstName, inviter.lastName].filter(Boolean).join(' ')
  try {
    await mailer.send({
      to: email,
      ...invitationMail({
        firstName,
        teamName,
        inviterName: inviterName || (inviter.email ?? 'A team member'),
        url: publicUrl(),
        hasAccount: !isNew,
      }),
    })
  } catch (error) {
    log.error({ cause: causeOf(error) }, 'an invitation was not mailed')
    throw new Refusal('mail-not-sent', { detail: 'invite-not-mailed' })
  }
}

/** A mail that anyone can trigger is a way to annoy: so many an hour per inviter, so many a day per address. */
async function stayWithinLimits(db: Kysely<Tables>, inviterId: UserId, email: string) {
  await stayWithin(db, { what: 'invite-by', of: inviterId, limit: 30, windowMs: hourMs })
  await stayWithin(db, { what: 'invite-to', of: email, limit: 10, windowMs: dayMs })
}
