import { z } from 'zod'
import { EpochMs, InvitationId } from './ids.ts'

/** How long an invitation can be accepted. */
export const invitationDays = 30

/** An invitation as the team sees it: who was invited, as the inviter typed it. */
export const InvitedPerson = z.object({
  id: InvitationId,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  expiresAt: EpochMs,
})
export type InvitedPerson = z.infer<typeof InvitedPerson>

/** An invitation as the invited person sees it: of the team nothing but its name. */
export const Invitation = z.object({
  id: InvitationId,
  teamName: z.string(),
  /** First and last name of the member who invited; none if they have left or have no name. */
  invitedBy: z.string().nullable(),
  expiresAt: EpochMs,
})
export type Invitation = z.infer<typeof Invitation>
