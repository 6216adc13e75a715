import type { RoomName } from '#contract/live.ts'
import { queryOf } from '#web/api/queryOf.ts'
import { useLiveQuery } from '#web/live/useLiveQuery.ts'

export const wordsQuery = (teamId: string) => queryOf('words.list', { teamId })

/**
 * Returns the own words of a team. They are requested again after each change of the team, like all its queries, and
 * after each reconnect, with the snapshot of `room`.
 */
export function useWords(teamId: string, room: RoomName) {
  return useLiveQuery({ room, query: wordsQuery(teamId), outdatedBy: () => false })
}
