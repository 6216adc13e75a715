import type { TeamId, UserId } from '#contract/ids.ts'
import type { InvitedPerson } from '#contract/invitations.ts'
import { Refusal } from '#contract/refusal.ts'
import { dayMs, hourMs } from '#contract/shared/durations.ts'
import { isOnlyForThisMachine } from '../config.ts'
import type { AppContext } from '../context.ts'
import { causeOf } from '../mail/causeOf.ts'
import { invitationMail } from '../mail/templates.ts'
import { mailboxOf } from '../rateLimit/mailboxOf.ts'
import { networkOf } from '../rateLimit/network.ts'
import type { Limit } from '../rateLimit/rateLimits.ts'
import { enforceSharedLimit, isWithinSharedLimit, revertCount } from '../rateLimit/sharedLimits.ts'
import { requireEditor } from '../rights/requireMember.ts'
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

export const invitationsPerPerson = 30
/** A paddock's Wi-Fi is one network: enough for two people who invite whole teams. */
export const invitationsPerNetwork = 60
export const invitationsPerTeam = 45
/** Invitation mails to one mailbox per day, from all inviters. */
export const mailsPerMailbox = 3

interface Inviter {
  inviterId: UserId
  teamId: TeamId
  ip: string | undefined
}

/** Counts an invitation before it is stored. Refuses with `too-many`. */
export async function countInvitation(
  context: Pick<AppContext, 'db' | 'clock' | 'config'>,
  { inviterId, teamId, ip }: Inviter,
) {
  const count = (what: string, key: string, limit: number) =>
    enforceSharedLimit(context, { what, key, limit, windowMs: hourMs })
  await count('invite-by', inviterId, invitationsPerPerson)
  await count('invite-team', teamId, invitationsPerTeam)
  // On a server only for this machine everybody has the same IP address.
  if (isOnlyForThisMachine(context.config)) return
  await count('invite-network', networkOf(ip, 48), invitationsPerNetwork)
}

/** Counts an invitation mail. Returns false if the mailbox has reached its daily limit. */
function countInvitationMail(context: AppContext, email: string): Promise<boolean> {
  return isWithinSharedLimit(context, mailLimit(email))
}

/** Reverts the count of an invitation mail that could not be sent. */
function uncountInvitationMail({ db }: AppContext, email: string): Promise<void> {
  return revertCount(db, mailLimit(email))
}

function mailLimit(email: string): Limit {
  return { what: 'invite-mail', key: mailboxOf(email), limit: mailsPerMailbox, windowMs: dayMs }
}
