import { useEffect } from 'react'
import type { StoredCarRace } from '#contract/carRaces.ts'
import { textStore } from '#web/device/textStore.ts'
import { type LiveQuery, useLiveQuery } from '#web/live/useLiveQuery.ts'
import { carRaceQuery } from './carRaceQuery.ts'

export interface Kept {
  /** False on walls, which need the network: the last race is not kept on this device. */
  readonly isKept?: boolean
}

/**
 * Returns what is stored about the race of the car of a session, if one is given, requested again when it changes. The
 * last answer is kept on this device for a start without a network.
 */
export function useStoredCarRace(sessionId: string | null, { isKept = true }: Kept = {}) {
  const asked = useLiveQuery({
    room: sessionId === null ? null : `session:${sessionId}`,
    ...liveCarRace(sessionId ?? ''),
  })
  const { data } = asked
  useEffect(() => {
    if (data && isKept) textStore.write(storageKey, JSON.stringify({ sessionId, race: data }))
  }, [sessionId, data, isKept])
  return asked
}

/** What is stored about the race of the car of a session, and which events of its room change it. */
export function liveCarRace(sessionId: string): LiveQuery<StoredCarRace> {
  return {
    // Initial data stays if the requests fail.
    query: { ...carRaceQuery(sessionId), initialData: () => storedOnDevice(sessionId) },
    outdatedBy: ({ t }) => t === 'race-changed' || t === 'session-ended',
  }
}

/** localStorage key of the race of the session that was shown last. Its number changes with the shape of a race. */
const storageKey = 'pitboard.race.2'

function storedOnDevice(sessionId: string): StoredCarRace | undefined {
  try {
    const stored: { sessionId: string; race: StoredCarRace } | null = JSON.parse(
      textStore.read(storageKey) ?? 'null',
    )
    return stored?.sessionId === sessionId ? stored.race : undefined
  } catch {
    return undefined
  }
}
