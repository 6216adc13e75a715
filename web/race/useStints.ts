import { queryOptions } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { RaceOfSession } from '#contract/stints.ts'
import { read } from '#web/api/call.ts'
import { textStore } from '#web/device/textStore.ts'
import { useLiveQuery } from '#web/live/useLiveQuery.ts'

/**
 * Returns car, drivers and stints of a session, if one is given, requested again when they change, after each
 * reconnection, and when the session ends. The last answer is kept on this device for a start without a network.
 */
export function useStints(sessionId: string | null) {
  const asked = useLiveQuery({
    room: sessionId === null ? null : `session:${sessionId}`,
    // Kept if the requests fail, unlike placeholder data.
    query: { ...stintsQuery(sessionId ?? ''), initialData: () => storedRace(sessionId) },
    outdatedBy: ({ t }) => t === 'race-changed' || t === 'session-ended',
  })
  const { data } = asked
  useEffect(() => {
    if (data) textStore.write(storageKey, JSON.stringify({ sessionId, race: data }))
  }, [sessionId, data])
  return asked
}

/** Returns car, drivers and stints of a session. */
export function stintsQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['stints.ofSession', sessionId],
    queryFn: ({ signal }) => read('stints.ofSession', { sessionId }, { signal }),
  })
}

/** localStorage key of the race of the session that was shown last. */
const storageKey = 'pitboard.race'

function storedRace(sessionId: string | null): RaceOfSession | undefined {
  try {
    const stored: unknown = JSON.parse(textStore.read(storageKey) ?? 'null')
    return isRaceOf(stored, sessionId) ? stored.race : undefined
  } catch {
    return undefined
  }
}

function isRaceOf(stored: unknown, sessionId: string | null): stored is { race: RaceOfSession } {
  return (
    typeof stored === 'object' &&
    stored !== null &&
    'race' in stored &&
    'sessionId' in stored &&
    stored.sessionId === sessionId &&
    isComplete(stored.race)
  )
}

/** A race that an older build stored may lack lists which later builds read. */
function isComplete(race: unknown): boolean {
  if (typeof race !== 'object' || race === null) return false
  const { drivers, stints, pitVisits, fills, otherStints, earlierUses } =
    race as Partial<RaceOfSession>
  return (
    [drivers, stints, pitVisits, fills, otherStints, earlierUses].every(Array.isArray) &&
    stints?.length !== 0
  )
}
