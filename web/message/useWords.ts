import { queryOptions } from '@tanstack/react-query'
import type { RoomName } from '#contract/live.ts'
import { read } from '#web/api/call.ts'
import { useLiveQuery } from '#web/live/useLiveQuery.ts'

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
  return useLiveQuery({ room, query: wordsQuery(teamId), outdatedBy: () => false })
}
