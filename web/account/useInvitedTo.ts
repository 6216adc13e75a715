import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { queryOf } from '#web/api/queryOf.ts'
import { authText } from '#web/text/auth.ts'

/** An invitation for the person who has opened its mail, signed in or not. */
export const openInvitationQuery = (invitationId: string) =>
  queryOf('teams.openInvitation', { invitationId })

/** Names the team and the inviting member to a person who signs in from an invitation mail; undefined for others. */
export function useInvitedTo(): string | undefined {
  const [search] = useSearchParams()
  const [, id = ''] = /^\/join\/invitation\/([^/?]+)/.exec(search.get('next') ?? '') ?? []
  const { data } = useQuery({ ...openInvitationQuery(id), enabled: id !== '' })
  return data && authText.invitedTo(data.invitedBy, data.teamName)
}
