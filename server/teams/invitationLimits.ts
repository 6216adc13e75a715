import type { TeamId, UserId } from '#contract/ids.ts'
import { dayMs, hourMs } from '#contract/shared/durations.ts'
import { isOnlyForThisMachine } from '../config.ts'
import type { AppContext } from '../context.ts'
import { mailboxOf } from '../rateLimit/mailboxOf.ts'
import { networkOf } from '../rateLimit/network.ts'
import type { Limit } from '../rateLimit/rateLimits.ts'
import { enforceSharedLimit, isWithinSharedLimit, revertCount } from '../rateLimit/sharedLimits.ts'

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
export function countInvitationMail(context: AppContext, email: string): Promise<boolean> {
  return isWithinSharedLimit(context, mailLimit(email))
}

/** Reverts the count of an invitation mail that could not be sent. */
export function uncountInvitationMail({ db }: AppContext, email: string): Promise<void> {
  return revertCount(db, mailLimit(email))
}

function mailLimit(email: string): Limit {
  return { what: 'invite-mail', key: mailboxOf(email), limit: mailsPerMailbox, windowMs: dayMs }
}
