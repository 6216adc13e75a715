import { useEffect } from 'react'
import type { StoredCarRace } from '#contract/carRace.ts'
import { textStore } from '#web/device/textStore.ts'
import { useLiveQuery } from '#web/live/useLiveQuery.ts'
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
    // Kept if the requests fail, unlike placeholder data.
    query: { ...carRaceQuery(sessionId ?? ''), initialData: () => storedOnDevice(sessionId) },
    outdatedBy: ({ t }) => t === 'race-changed' || t === 'session-ended',
  })
  const { data } = asked
  useEffect(() => {
    if (data && isKept) textStore.write(storageKey, JSON.stringify({ sessionId, race: data }))
  }, [sessionId, data, isKept])
  return asked
}

/** localStorage key of the race of the session that was shown last. */
const storageKey = 'pitboard.race'

function storedOnDevice(sessionId: string | null): StoredCarRace | undefined {
  try {
    const stored: unknown = JSON.parse(textStore.read(storageKey) ?? 'null')
    return isRaceOf(stored, sessionId) ? stored.race : undefined
  } catch {
    return undefined
  }
}

function isRaceOf(stored: unknown, sessionId: string | null): stored is { race: StoredCarRace } {
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
  const { drivers, phones, runs, unsure, stints, otherCars, fills } = race as Partial<StoredCarRace>
  return (
    [drivers, phones, runs, unsure, stints, otherCars, fills].every(Array.isArray) &&
    phones?.length !== 0 &&
    stints?.length !== 0
  )
}
