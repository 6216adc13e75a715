import type { UserId } from '#contract/ids.ts'
import type { InvitedPerson } from '#contract/invitations.ts'
import { Refusal } from '#contract/refusal.ts'
import { causeOf } from '../mail/causeOf.ts'
import { invitationMail } from '../mail/templates.ts'
import type { Parts } from '../parts.ts'
import { countInvitation, countInvitationMail, uncountInvitationMail } from './invitationLimits.ts'
import { type NewInvitation, storeInvitation } from './invitations.ts'
import { requireMember } from './members.ts'

/**
 * Invites a person to a team and mails them; inviting again does the same once more. The answer holds what
 * the inviter typed and nothing of an account with that address. The invitation stands even if the mail
 * fails: then `mail-not-sent` is refused, and inviting again sends the mail again.
 */
export async function invite(
  parts: Parts,
  { inviterId, ip }: { inviterId: UserId; ip: string | undefined },
  invitation: NewInvitation,
): Promise<InvitedPerson & { mailed: boolean }> {
  const { db, live, clock } = parts
  const { teamId } = invitation
  await requireMember(db, teamId, inviterId)
  await countInvitation(parts, { inviterId, teamId, ip })
  const stored = await storeInvitation(db, inviterId, invitation, clock.now())
  if (stored.inviteeId !== undefined) {
    live.publish(`user:${stored.inviteeId}`, {
      t: 'invitation-added',
      invitation: stored.invitation,
    })
  }
  live.publish(`team:${teamId}`, { t: 'invited-added', team: teamId, invited: stored.invited })
  // Not a refusal: others could use up a person's mails to keep them from being invited.
  const mailed = await countInvitationMail(parts, invitation.email)
  if (mailed) await mailInvitation(parts, stored)
  return { ...stored.invited, mailed }
}

async function mailInvitation(
  parts: Parts,
  { invited, invitation }: Awaited<ReturnType<typeof storeInvitation>>,
) {
  const { mailer, publicUrl, log } = parts
  try {
    await mailer.send({
      to: invited.email,
      ...invitationMail({
        firstName: invited.firstName,
        teamName: invitation.teamName,
        inviterName: invitation.invitedBy,
        url: publicUrl(),
      }),
    })
  } catch (error) {
    log.error({ cause: causeOf(error) }, 'failed to send an invitation mail')
    await uncountInvitationMail(parts, invited.email)
    throw new Refusal('mail-not-sent', { detail: 'invite-not-mailed' })
  }
}
