import { useMutation, useQueryClient } from '@tanstack/react-query'
import { command } from '#web/api/call.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { useToasts } from '#web/ui/toasts.ts'

/** Turns the data link of an active session off and on, with that of the other phones of its car. */
export function useDataLink(sessionId: string) {
  const client = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: (dataLink: boolean) => command('sessions.setDataLink', { sessionId, dataLink }),
    onSuccess: changed => client.setQueryData(sessionQuery(sessionId).queryKey, changed),
    onError: reason => toasts.error(dataLinkText.failed, refusalText(reason)),
  })
}
