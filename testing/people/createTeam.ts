import type { Team } from '#contract/teams.ts'
import { addMember } from './addMember.ts'
import type { Person } from './person.ts'

/** Creates a team of this owner whose members have accepted an invitation: the base of each scene. */
export async function createTeam(
  owner: Pick<Person, 'call'>,
  members: readonly Pick<Person, 'call' | 'details'>[],
  name = 'Northline Racing',
): Promise<Team> {
  const team = await owner.call.teams.create({ name })
  for (const member of members) await addMember(owner, team.id, member)
  return team
}
