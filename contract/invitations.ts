import { z } from 'zod'
import { EpochMs, InvitationId } from './ids.ts'

/** An invitation as the team sees it, with the names as the inviter typed them. */
export const InvitedPerson = z.object({
  id: InvitationId,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  expiresAt: EpochMs,
})
export type InvitedPerson = z.infer<typeof InvitedPerson>

/** An invitation as the invited person sees it: it reveals only the names of the team and the inviter. */
export const Invitation = z.object({
  id: InvitationId,
  teamName: z.string(),
  /** First and last name of the inviting member; null if they have left or have no name. */
  invitedBy: z.string().nullable(),
  expiresAt: EpochMs,
})
export type Invitation = z.infer<typeof Invitation>
