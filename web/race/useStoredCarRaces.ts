import type { StoredCarRace } from '#contract/carRaces.ts'
import type { Session } from '#contract/sessions.ts'
import { useLiveQueries } from '#web/live/useLiveQueries.ts'
import { liveCarRace } from './useStoredCarRace.ts'

/** Returns what is stored about the races of the cars of sessions, in their order, as far as it has arrived. */
export function useStoredCarRaces(sessions: readonly Pick<Session, 'id'>[]) {
  return useLiveQueries(
    sessions.map(({ id }) => ({ sessionId: id, ...liveCarRace(id) })),
    dataOf,
  )
}

function dataOf(results: readonly { readonly data: StoredCarRace | undefined }[]) {
  return results.map(({ data }) => data)
}
