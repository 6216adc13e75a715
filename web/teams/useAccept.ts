import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { command } from '#web/api/call.ts'
import { loginQuery } from '#web/api/loginQuery.ts'
import { patchList, withoutItem } from '#web/api/patchList.ts'
import { invitationsQuery, teamsQuery } from '#web/api/teamQueries.ts'
import { appText } from '#web/text/app.ts'
import { teamsText } from '#web/text/teams.ts'
import { useToasts } from '#web/ui/toasts.ts'

/** Accepts an invitation to the user's e-mail address, and opens the team. */
export function useAccept({ onError }: { onError?: (reason: Error) => void } = {}) {
  const client = useQueryClient()
  const toasts = useToasts()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (invitationId: string) => command('teams.accept', { invitationId }),
    onSuccess: ({ id, name }, invitationId) => {
      patchList(client, invitationsQuery.queryKey, list => withoutItem(list, invitationId))
      toasts.success(appText.success, teamsText.accepted(name))
      void client.invalidateQueries({ queryKey: teamsQuery.queryKey })
      // A user without a name takes over the name from the invitation.
      void client.invalidateQueries({ queryKey: loginQuery.queryKey })
      return navigate(`/teams/${id}`, { replace: true })
    },
    ...(onError && { onError }),
  })
}
