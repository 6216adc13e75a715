import { useQueryClient } from '@tanstack/react-query'
import { command } from '#web/api/call.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { useCommand } from '#web/ui/useCommand.ts'

/** Turns the data link of an active session off and on, with that of the other phones of its car. */
export function useDataLink(sessionId: string) {
  const client = useQueryClient()
  return useCommand({
    failed: dataLinkText.failed,
    send: (dataLink: boolean) => command('sessions.setDataLink', { sessionId, dataLink }),
    onSuccess: changed => client.setQueryData(sessionQuery(sessionId).queryKey, changed),
  })
}
