import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { UserId } from '#contract/ids.ts'
import type { Member } from '#contract/teams.ts'
import { useMe } from './login.ts'
import { membersQuery } from './teamQueries.ts'

/** The members of a team among these users, in their order, without the signed-in user. */
export function useOthers(teamId: string, users: readonly UserId[]): Member[] {
  const client = useQueryClient()
  const { id: me } = useMe()
  const { data: members } = useQuery(membersQuery(teamId))
  const others = users.filter(id => id !== me)
  const known = new Map(members?.map(member => [member.id, member]))
  const missing = members ? others.filter(id => !known.has(id)).join() : ''
  useEffect(() => {
    // Somebody became a member since the list was fetched.
    if (missing) void client.invalidateQueries({ queryKey: membersQuery(teamId).queryKey })
  }, [client, teamId, missing])
  return others.flatMap(id => known.get(id) ?? [])
}
