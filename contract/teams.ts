import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { EpochMs, InvitationId, TeamId, UserId } from './ids.ts'
import { Invitation, InvitedPerson } from './invitations.ts'
import { LineOfText } from './text.ts'
import { Email, FirstName, LastName, Person } from './users.ts'

/** A team as one of its members sees it. The times are those of pictures among its files, if there are any. */
export const Team = z.object({
  id: TeamId,
  name: z.string(),
  logoUpdatedAt: EpochMs.nullable(),
  /** One's own photo in this team. */
  photoUpdatedAt: EpochMs.nullable(),
  /** May remove members: the creator at first, then the member who has been in the team longest. */
  ownerId: UserId.nullable(),
})
export type Team = z.infer<typeof Team>

export const TeamName = LineOfText

const ofTeam = z.object({ teamId: TeamId })
const ofInvitation = z.object({ invitationId: InvitationId })

export const teams = {
  list: read({
    auth: 'any-login',
    summary: 'The teams one is a member of, by name.',
    input: z.object({}),
    output: z.array(Team),
  }),
  get: read({ auth: 'any-login', summary: 'One team.', input: ofTeam, output: Team }),
  create: command({
    auth: 'signed-in',
    summary: 'Creates a team with oneself as its first member.',
    input: z.object({ name: TeamName }),
    output: Team,
  }),
  members: read({
    auth: 'any-login',
    summary: 'Everyone in the team, by last name.',
    input: ofTeam,
    output: z.array(Person),
  }),
  present: read({
    auth: 'any-login',
    summary: 'Who is at the pit wall now: members that have this team open.',
    input: ofTeam,
    output: z.array(Person),
  }),
  invited: read({
    auth: 'signed-in',
    summary: 'People invited to the team who have not answered yet, by last name.',
    input: ofTeam,
    output: z.array(InvitedPerson),
  }),
  invite: command({
    auth: 'signed-in',
    summary:
      'Invites a person by e-mail. Inviting again renews the invitation and sends the mail again.',
    input: ofTeam.extend({ firstName: FirstName, lastName: LastName, email: Email }),
    output: InvitedPerson.extend({
      /** False when this mailbox has received its invitation mails for today. */
      mailed: z.boolean(),
    }),
  }),
  withdrawInvitation: command({
    auth: 'signed-in',
    summary: 'Takes back an invitation to the team that has not been answered.',
    input: ofTeam.extend({ invitationId: InvitationId }),
    output: z.object({}),
  }),
  invitations: read({
    auth: 'signed-in',
    summary: 'Invitations to one’s own e-mail address that wait for an answer, newest first.',
    input: z.object({}),
    output: z.array(Invitation),
  }),
  accept: command({
    auth: 'signed-in',
    summary: 'Accepts an invitation to one’s own e-mail address: one is a member from then on.',
    input: ofInvitation,
    output: Team,
  }),
  decline: command({
    auth: 'signed-in',
    summary: 'Declines an invitation to one’s own e-mail address.',
    input: ofInvitation,
    output: z.object({}),
  }),
  removeMember: command({
    auth: 'signed-in',
    summary: 'Removes a member, for the owner of the team. Their active session in it ends.',
    input: ofTeam.extend({ userId: UserId }),
    output: z.object({}),
  }),
  leave: command({
    auth: 'signed-in',
    summary: 'Leaves the team. An active session of one’s own in it ends.',
    input: ofTeam,
    output: z.object({}),
  }),
}
