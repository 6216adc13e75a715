import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { EpochMs, InvitationId, TeamId, UserId } from './ids.ts'
import { Invitation, InvitedPerson } from './invitations.ts'
import { TeamChange } from './teamChanges.ts'
import { MailedName } from './text.ts'
import { Email, FirstName, LastName, Person } from './users.ts'

/** A member sees and changes everything of a team, a viewer only sees it. */
export const MemberRole = z.enum(['member', 'viewer'])
export type MemberRole = z.infer<typeof MemberRole>

/** A team has one owner, who manages the roles of the others. */
export const TeamRole = z.enum(['owner', ...MemberRole.options])
export type TeamRole = z.infer<typeof TeamRole>

/** A person in a team. The owner's role is `member`: `Team` names the owner. */
export const Member = Person.extend({ role: MemberRole })
export type Member = z.infer<typeof Member>

/**
 * A team as one of its members sees it. The times are the upload times of its pictures, null without one.
 */
export const Team = z.object({
  id: TeamId,
  name: z.string(),
  logoUpdatedAt: EpochMs.nullable(),
  /** Upload time of the member's own photo in this team. */
  photoUpdatedAt: EpochMs.nullable(),
  /** Removes members and changes their roles: the creator at first, then the longest-standing member. */
  ownerId: UserId.nullable(),
  /** The role of the member who sees it. */
  role: MemberRole,
})
export type Team = z.infer<typeof Team>

/** A deleted team, as its owner sees it until it is removed for good. */
export const DeletedTeam = Team.pick({ id: true, name: true }).extend({ restorableUntil: EpochMs })
export type DeletedTeam = z.infer<typeof DeletedTeam>

export const TeamName = MailedName

const ofTeam = z.object({ teamId: TeamId })
const ofInvitation = z.object({ invitationId: InvitationId })

export const teams = {
  list: read({
    auth: 'any-login',
    scopes: ['read'],
    summary: 'The teams of the caller, by name.',
    input: z.object({}),
    output: z.array(Team),
  }),
  get: read({
    auth: 'any-login',
    scopes: ['read'],
    summary: 'One team.',
    input: ofTeam,
    output: Team,
  }),
  create: command({
    auth: 'account',
    limit: 'rare',
    summary: 'Creates a team with the caller as its first member.',
    input: z.object({ name: TeamName }),
    output: Team,
  }),
  members: read({
    auth: 'any-login',
    scopes: ['read'],
    summary: 'Everyone in the team, by last name.',
    input: ofTeam,
    output: z.array(Member),
  }),
  invited: read({
    auth: 'signed-in',
    summary: 'People invited to the team who have not responded yet, by last name.',
    input: ofTeam,
    output: z.array(InvitedPerson),
  }),
  invite: command({
    auth: 'account',
    summary:
      'Invites a person by e-mail. Inviting again renews the invitation and sends the mail again.',
    input: ofTeam.extend({ firstName: FirstName, lastName: LastName, email: Email }),
    output: InvitedPerson.extend({
      /** False when this mailbox has reached its daily limit of invitation mails. */
      mailed: z.boolean(),
    }),
  }),
  withdrawInvitation: command({
    auth: 'account',
    summary: 'Withdraws a pending invitation to the team.',
    input: ofTeam.extend({ invitationId: InvitationId }),
    output: z.object({}),
  }),
  invitations: read({
    auth: 'signed-in',
    summary: 'Pending invitations to the caller’s e-mail address, newest first.',
    input: z.object({}),
    output: z.array(Invitation),
  }),
  openInvitation: read({
    auth: 'anyone',
    summary: 'An invitation by its id, which only its mail and members of the team have.',
    input: ofInvitation,
    output: Invitation.extend({ email: z.string() }),
  }),
  accept: command({
    auth: 'signed-in',
    summary: 'Accepts an invitation to the caller’s e-mail address, who becomes a member.',
    input: ofInvitation,
    output: Team,
  }),
  decline: command({
    auth: 'signed-in',
    summary: 'Declines an invitation to the caller’s e-mail address.',
    input: ofInvitation,
    output: z.object({}),
  }),
  rename: command({
    auth: 'account',
    limit: 'rare',
    summary: 'Renames a team, for its owner.',
    input: ofTeam.extend({ name: TeamName }),
    output: Team,
  }),
  setRole: command({
    auth: 'account',
    limit: 'rare',
    summary:
      'Changes the role of a member, for the owner of the team. `owner` hands the team over: the caller becomes a member.',
    input: ofTeam.extend({ userId: UserId, role: TeamRole }),
    output: Member,
  }),
  removeMember: command({
    auth: 'account',
    summary:
      'Removes a member, for the owner of the team, who can then end their active session in it.',
    input: ofTeam.extend({ userId: UserId }),
    output: z.object({}),
  }),
  leave: command({
    auth: 'signed-in',
    summary:
      'Leaves the team. The caller’s active session in it stays, and the owner can end it. With its last member the team is deleted.',
    input: ofTeam,
    output: z.object({}),
  }),
  changes: read({
    auth: 'signed-in',
    summary: 'The history of a team: who changed what, newest first, 100 at a time.',
    input: ofTeam.extend({
      /** Only changes before this one. Without it, the newest. */
      before: z.coerce.number().int().min(1).optional(),
    }),
    output: z.object({
      changes: z.array(TeamChange),
      /** For `before` of the next page. Null on the last page. */
      next: z.int().nullable(),
    }),
  }),
  delete: command({
    auth: 'account',
    limit: 'rare',
    summary:
      'Deletes a team, for its owner, who can restore it for 7 days. Refused while a session is active.',
    input: ofTeam,
    output: z.object({}),
  }),
  listDeleted: read({
    auth: 'signed-in',
    summary: 'Deleted teams that the caller, their owner, can restore.',
    input: z.object({}),
    output: z.array(DeletedTeam),
  }),
  restore: command({
    auth: 'account',
    limit: 'rare',
    summary: 'Restores a deleted team with its members, for its owner.',
    input: ofTeam,
    output: Team,
  }),
}
