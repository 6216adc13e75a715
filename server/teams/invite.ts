import type { UserId } from '#contract/ids.ts'
import type { InvitedPerson } from '#contract/invitations.ts'
import { Refusal } from '#contract/refusal.ts'
import type { AppContext } from '../context.ts'
import { causeOf } from '../mail/causeOf.ts'
import { invitationMail } from '../mail/templates.ts'
import { requireEditor } from '../rights/requireMember.ts'
import { countInvitation, countInvitationMail, uncountInvitationMail } from './invitationLimits.ts'
import { type NewInvitation, storeInvitation } from './invitations.ts'

/**
 * Invites a person to a team and mails them. Inviting again renews the invitation and sends another mail.
 * The response contains only the inviter's input, nothing of an account with that e-mail address. If the mail
 * fails, the invitation stays valid and the call is refused with `mail-not-sent`; inviting again retries
 * the mail.
 */
export async function invite(
  context: AppContext,
  { inviterId, ip }: { inviterId: UserId; ip: string | undefined },
  invitation: NewInvitation,
): Promise<InvitedPerson & { mailed: boolean }> {
  const { db, live, clock } = context
  const { teamId } = invitation
  await requireEditor(db, teamId, inviterId)
  await countInvitation(context, { inviterId, teamId, ip })
  const stored = await storeInvitation(db, inviterId, invitation, clock.now())
  if (stored.inviteeId !== undefined) {
    live.publish(`user:${stored.inviteeId}`, {
      t: 'invitation-added',
      invitation: stored.invitation,
    })
  }
  live.publish(`team:${teamId}`, { t: 'invited-added', team: teamId, invited: stored.invited })
  // A mailbox at its limit gets no mail, but the invitation is stored: otherwise strangers could exhaust the limit to
  // prevent it.
  const mailed = await countInvitationMail(context, invitation.email)
  if (mailed) await mailInvitation(context, stored)
  return { ...stored.invited, mailed }
}

async function mailInvitation(
  context: AppContext,
  { invited, invitation }: Awaited<ReturnType<typeof storeInvitation>>,
) {
  const { mailer, publicUrl, log } = context
  try {
    await mailer.send({
      to: invited.email,
      ...invitationMail({
        firstName: invited.firstName,
        teamName: invitation.teamName,
        inviterName: invitation.invitedBy,
        url: `${publicUrl()}/join/invitation/${invited.id}`,
      }),
    })
  } catch (error) {
    log.error({ cause: causeOf(error) }, 'failed to send an invitation mail')
    await uncountInvitationMail(context, invited.email)
    throw new Refusal('mail-not-sent', { detail: 'invite-not-mailed' })
  }
}
