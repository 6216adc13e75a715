import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { EpochMs, TeamId } from './ids.ts'
import { LineOfText } from './text.ts'
import { Email, FirstName, LastName, Person } from './users.ts'

/** A team as one of its members sees it. The times are those of pictures among its files, if there are any. */
export const Team = z.object({
  id: TeamId,
  name: z.string(),
  logoUpdatedAt: EpochMs.nullable(),
  /** One's own photo in this team. */
  photoUpdatedAt: EpochMs.nullable(),
})
export type Team = z.infer<typeof Team>

export const TeamName = LineOfText

const ofTeam = z.object({ teamId: TeamId })

export const teams = {
  list: read({
    auth: 'signed-in',
    summary: 'The teams one is a member of, by name.',
    input: z.object({}),
    output: z.array(Team),
  }),
  get: read({ auth: 'signed-in', summary: 'One team.', input: ofTeam, output: Team }),
  create: command({
    auth: 'signed-in',
    summary: 'Creates a team with oneself as its first member.',
    input: z.object({ name: TeamName }),
    output: Team,
  }),
  members: read({
    auth: 'signed-in',
    summary: 'Everyone in the team, by last name.',
    input: ofTeam,
    output: z.array(Person),
  }),
  present: read({
    auth: 'signed-in',
    summary: 'Who is at the pit wall now: members that have this team open.',
    input: ofTeam,
    output: z.array(Person),
  }),
  invite: command({
    auth: 'signed-in',
    summary: 'Adds a person by e-mail, who gets a mail about it.',
    input: ofTeam.extend({ firstName: FirstName, lastName: LastName, email: Email }),
    output: Person,
  }),
  leave: command({
    auth: 'signed-in',
    summary: 'Leaves the team. An active session of one’s own in it ends.',
    input: ofTeam,
    output: z.object({}),
  }),
}
