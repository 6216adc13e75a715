import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { SessionId } from '#contract/ids.ts'
import type { LapTable } from '#contract/laps.ts'
import type { Session } from '#contract/sessions.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { useLaps } from '#web/race/useLaps.ts'
import { stintsQuery } from '#web/race/useStints.ts'

/** More lines are hard to distinguish on the chart, and their columns too narrow on a phone. */
export const maxCompared = 3

export interface Compared {
  id: SessionId
  /** Undefined while loading, or after an error. */
  session: Session | undefined
  table: LapTable | undefined
  /** Undefined while loading: until then all laps count as driven by one driver. */
  race: RaceOfSession | undefined
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
  const { data: table, error: lapsError } = useLaps(id ?? null)
  const { data: race } = useQuery({ ...stintsQuery(id ?? ''), enabled: id !== undefined })
  return useMemo(
    () =>
      id === undefined ? null : { id, session, table, race, error: sessionError ?? lapsError },
    [id, session, table, race, sessionError, lapsError],
  )
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Returns the ids in a URL, which anybody can have typed. */
export function idsIn(text: string, own: SessionId): SessionId[] {
  const ids = text.split(',').filter(id => uuid.test(id) && id !== own)
  return [...new Set(ids)].slice(0, maxCompared)
}
