import { useQuery } from '@tanstack/react-query'
import type { UserId } from '#contract/ids.ts'
import type { Session } from '#contract/sessions.ts'
import { useMe } from './login.ts'
import { teamQuery } from './queries.ts'
import { membersQuery } from './teamQueries.ts'

/** The drivers of these sessions who are no longer in the team, for its owner, who can end their sessions. */
export function useFormerDrivers(teamId: string, sessions: readonly Session[]): Set<UserId> {
  const { id: me } = useMe()
  const { data: team } = useQuery(teamQuery(teamId))
  const others = sessions.map(({ driver }) => driver.id).filter(id => id !== me)
  const { data: members } = useQuery({
    ...membersQuery(teamId),
    enabled: team?.ownerId === me && others.length > 0,
  })
  if (!members || team?.ownerId !== me) return new Set()
  return new Set(others.filter(driver => !members.some(({ id }) => id === driver)))
}
