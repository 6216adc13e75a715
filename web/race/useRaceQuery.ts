import { useLiveQuery } from '#web/live/useLiveQuery.ts'

/** Returns a query about the races of a team, requested again when they change and after each reconnection (R14). */
export function useRaceQuery<Data>(
  teamId: string,
  query: Parameters<typeof useLiveQuery<Data>>[0]['query'],
) {
  return useLiveQuery({
    room: `team:${teamId}`,
    query,
    outdatedBy: ({ t }) => t === 'race-changed',
  })
}
