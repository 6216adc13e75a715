import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { SessionId } from '#contract/ids.ts'
import type { LapTable } from '#contract/laps.ts'
import type { Session } from '#contract/sessions.ts'
import { sessionQuery } from '#web/api/queries.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { useCarRace } from '#web/race/useCarRace.ts'

/** More lines are hard to distinguish on the chart, and their columns too narrow on a phone. */
export const maxCompared = 3

export interface Compared {
  id: SessionId
  /** Undefined while loading, or after an error. */
  session: Session | undefined
  table: LapTable | undefined
  race: CarRace | undefined
  error: Error | null
}

/** Returns the sessions that the URL names for a comparison, and a function that replaces them. */
export function useCompared(own: SessionId): [Compared[], (ids: readonly SessionId[]) => void] {
  const [search, setSearch] = useSearchParams()
  const [a, b, c] = idsIn(search.get('with') ?? '', own)
  const [first, second, third] = [useOne(a), useOne(b), useOne(c)]
  const compared = useMemo(
    () => [first, second, third].filter(each => each !== null),
    [first, second, third],
  )
  return [
    compared,
    next => setSearch(next.length > 0 ? { with: next.join(',') } : {}, { replace: true }),
  ]
}

/** Returns the same object while nothing changes: the chart is drawn again with each new one. */
function useOne(id: SessionId | undefined): Compared | null {
  const { data: session, error: sessionError } = useQuery({
    ...sessionQuery(id ?? ''),
    enabled: id !== undefined,
  })
  const { race, table, error: raceError } = useCarRace(id ?? null, { isKept: false })
  return useMemo(
    () =>
      id === undefined ? null : { id, session, table, race, error: sessionError ?? raceError },
    [id, session, table, race, sessionError, raceError],
  )
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Returns the ids in a URL, which anybody can have typed. */
export function idsIn(text: string, own: SessionId): SessionId[] {
  const ids = text.split(',').filter(id => uuid.test(id) && id !== own)
  return [...new Set(ids)].slice(0, maxCompared)
}
