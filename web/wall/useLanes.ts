import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Car } from '#contract/roster.ts'
import type { Session } from '#contract/sessions.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { activeSessionsQuery } from '#web/api/teamQueries.ts'
import { rosterQuery } from '#web/race/rosterQuery.ts'

/** A started session appears on the wall within this time. Its end arrives as an event of its own room. */
const listedEveryMs = 5000
/** A changed order of cars appears within this time: a television does not receive events of the team. */
const orderEveryMs = 30_000

export interface Lanes {
  /** Undefined while loading. */
  readonly lanes: readonly Session[] | undefined
  /** Why they could not be loaded; null otherwise. */
  readonly failure: {
    readonly message: string
    readonly retrying: boolean
    readonly onRetry: () => void
  } | null
}

/** Returns the sessions that are driven now, in the order of the team's cars. It never follows the race. */
export function useLanes(teamId: string): Lanes {
  const { data, error, isFetching, refetch } = useQuery({
    ...activeSessionsQuery(teamId),
    refetchInterval: listedEveryMs,
  })
  const { data: roster } = useQuery({ ...rosterQuery(teamId), refetchInterval: orderEveryMs })
  const lanes = useMemo(() => data && inOrder(data, roster?.cars ?? []), [data, roster])
  const failure = error && {
    message: refusalText(error),
    retrying: isFetching,
    onRetry: () => void refetch(),
  }
  return { lanes, failure }
}

/** Sessions without a car follow the others, the longest running first. */
function inOrder(sessions: readonly Session[], cars: readonly Pick<Car, 'id'>[]): Session[] {
  const place = ({ car }: Session) => {
    const index = cars.findIndex(({ id }) => id === car?.id)
    return index === -1 ? cars.length : index
  }
  return [...sessions].sort(
    (a, b) => place(a) - place(b) || a.startedAt - b.startedAt || a.id.localeCompare(b.id),
  )
}
