import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RoomName } from '#contract/live.ts'
import { read } from '#web/api/call.ts'
import { useRoom } from '#web/live/useLive.ts'

export function wordsQuery(teamId: string) {
  return queryOptions({
    queryKey: ['words.list', teamId],
    queryFn: ({ signal }) => read('words.list', { teamId }, { signal }),
  })
}

/**
 * Returns the own words of a team. They are requested again after each change of the team, like all its queries, and
 * after each reconnect, with the snapshot of `room`.
 */
export function useWords(teamId: string, room: RoomName) {
  const client = useQueryClient()
  const query = wordsQuery(teamId)
  useRoom(room, ({ t }) => {
    if (t === 'snapshot') void client.invalidateQueries({ queryKey: query.queryKey })
  })
  return useQuery(query)
}
