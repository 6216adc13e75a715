import type { TeamId, UserId } from '#contract/ids.ts'
import { isOnlyForThisMachine } from '../config.ts'
import type { AppContext } from '../context.ts'
import { mailboxOf } from '../rateLimit/mailboxOf.ts'
import { networkLimits } from '../rateLimit/network.ts'
import {
  enforceRateLimit,
  isWithinRateLimit,
  type Limit,
  revertCount,
} from '../rateLimit/sharedLimits.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

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
  const windowMs = hourMs
  await enforceRateLimit(context, {
    what: 'invite-by',
    key: inviterId,
    limit: invitationsPerPerson,
    windowMs,
  })
  await enforceRateLimit(context, {
    what: 'invite-team',
    key: teamId,
    limit: invitationsPerTeam,
    windowMs,
  })
  // On a server only for this machine everybody has the same IP address.
  if (isOnlyForThisMachine(context.config)) return
  for (const { network, limit } of networkLimits(ip, invitationsPerNetwork)) {
    await enforceRateLimit(context, { what: 'invite-network', key: network, limit, windowMs })
  }
}

/** Counts an invitation mail. Returns false if the mailbox has reached its daily limit. */
export function countInvitationMail(context: AppContext, email: string): Promise<boolean> {
  return isWithinRateLimit(context, mailLimit(email))
}

/** Reverts the count of an invitation mail that could not be sent. */
export function uncountInvitationMail({ db }: AppContext, email: string): Promise<void> {
  return revertCount(db, mailLimit(email))
}

function mailLimit(email: string): Limit {
  return { what: 'invite-mail', key: mailboxOf(email), limit: mailsPerMailbox, windowMs: dayMs }
}
