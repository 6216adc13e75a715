import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { DriverChanges, RefusedChange } from '#client/driver/driverChanges.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { driverChangesOf } from '#web/offline/driverChangesOf.ts'
import { stintsQuery, useStints } from '#web/race/useStints.ts'
import { withDueChanges } from '#web/race/withDueChanges.ts'

/** The race of the driven session, with driver changes of this phone that the server does not have yet. */
export interface DrivenRace {
  /** Undefined until it has loaded. */
  readonly race: RaceOfSession | undefined
  readonly changes: DriverChanges
  /** True while a change of this session is not known to be on the server. */
  readonly isUnsent: boolean
  readonly refused: RefusedChange | null
}

export function useDrivenRace(sessionId: string): DrivenRace {
  const client = useQueryClient()
  const channel = useChannel()
  const changes = driverChangesOf(channel)
  const { data } = useStints(sessionId)
  useEffect(
    () =>
      changes.onStored((changed, race) => {
        client.setQueryData(stintsQuery(changed).queryKey, race)
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
  const race = useMemo(() => data && withDueChanges(data, due), [data, due])
  const refused = changes.refused?.sessionId === sessionId ? changes.refused : null
  return { race, changes, isUnsent: due.length > 0, refused }
}
