import type { TeamId } from '#contract/ids.ts'
import type { Client } from './client.ts'
import type { Person } from './person.ts'

/** Adds a user to a team by the API: a member invites them, and they accept. */
export async function addMember(
  inviter: { call: Client },
  teamId: TeamId,
  { call, details }: Pick<Person, 'call' | 'details'>,
) {
  const { id } = await inviter.call.teams.invite({ teamId, ...details })
  return call.teams.accept({ invitationId: id })
}
