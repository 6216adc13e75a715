import { useQuery } from '@tanstack/react-query'
import type { Session } from '#contract/sessions.ts'
import { activeSessionsQuery, endedSessionsQuery } from './teamQueries.ts'

/**
 * Returns the session in which the phone of an ended session goes on: the start of a race ended the old one, and the new
 * one began before that. Undefined without one.
 */
export function useContinued(
  teamId: string,
  sessionId: string,
  hasEnded: boolean,
): Session | undefined {
  const options = { enabled: hasEnded, staleTime: 0 }
  const { data: active } = useQuery({ ...activeSessionsQuery(teamId), ...options })
  const { data: ended } = useQuery({ ...endedSessionsQuery(teamId), ...options })
  const old = hasEnded && ended?.find(({ id }) => id === sessionId)
  if (!old) return undefined
  return active?.find(
    ({ driver, startedAt }) => driver.id === old.driver.id && startedAt < old.endedAt,
  )
}
