import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { DriverChanges, RefusedChange } from '#client/driver/driverChanges.ts'
import type { Lap } from '#contract/laps.ts'
import type { PitVisit } from '#contract/pitVisits.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useHasStatus } from '#web/live/useLive.ts'
import { driverChangesOf } from '#web/offline/driverChangesOf.ts'
import { carRaceQuery } from '#web/race/carRaceQuery.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { useStoredCarRace } from '#web/race/useStoredCarRace.ts'
import { withDueChanges } from '#web/race/withDueChanges.ts'
import { drivenRuns } from './drivenRuns.ts'

/** The race of the driven car, with laps and driver changes of this phone that the server does not have yet. */
export interface DrivenRace {
  /** Undefined until it has loaded. */
  readonly race: CarRace | undefined
  readonly changes: DriverChanges
  /** True while a change of this session is not known to be on the server. */
  readonly isUnsent: boolean
  readonly refused: RefusedChange | null
}

/** Returns the race of the driven car. `laps` and `visits` are those that this phone knows, also without a network. */
export function useDrivenRace(
  sessionId: string,
  { laps, visits }: { laps: readonly Lap[]; visits: readonly PitVisit[] },
): DrivenRace {
  const client = useQueryClient()
  const channel = useChannel()
  const changes = driverChangesOf(channel)
  const { data: stored } = useStoredCarRace(sessionId)
  const isOffline = useHasStatus('lost')
  useEffect(
    () =>
      changes.onStored((changed, race) => {
        client.setQueryData(carRaceQuery(changed).queryKey, race)
      }),
    [changes, client],
  )
  const all = useSyncExternalStore(
    listener => changes.onChange(listener),
    () => changes.due,
  )
  const due = useMemo(
    () =>
      all
        .filter(each => each.sessionId === sessionId)
        .map(change => ({ ...change, at: channel.clock.dated(change) ?? change.at })),
    [all, sessionId, channel],
  )
  const race = useMemo(() => {
    if (!stored) return undefined
    const runs = drivenRuns(stored, { sessionId, laps, isOffline })
    return withDueChanges(carRaceOf({ ...stored, runs }, { sessionId, laps, visits }), due)
  }, [stored, sessionId, laps, visits, isOffline, due])
  const refused = changes.refused?.sessionId === sessionId ? changes.refused : null
  return { race, changes, isUnsent: due.length > 0, refused }
}
