import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { openInvitationQuery } from '#web/api/teamQueries.ts'
import { authText } from '#web/text/auth.ts'

/** Names the team and the inviting member to a person who signs in from an invitation mail; undefined for others. */
export function useInvitedTo(): string | undefined {
  const [search] = useSearchParams()
  const [, id = ''] = /^\/join\/invitation\/([^/?]+)/.exec(search.get('next') ?? '') ?? []
  const { data } = useQuery({ ...openInvitationQuery(id), enabled: id !== '' })
  return data && authText.invitedTo(data.invitedBy, data.teamName)
}
