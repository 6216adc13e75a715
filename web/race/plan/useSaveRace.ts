import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { EpochMs } from '#contract/ids.ts'
import type { PreparedRace, Race, RaceChange } from '#contract/races.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { carRaceKeys } from '#web/race/carRaceKeys.ts'
import { racesQuery, withRace } from '#web/race/racesQuery.ts'
import { planText } from '#web/text/plan.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { copyPlans } from './proposedRace.ts'

/** Some fields of a race with their new values, and with the ones that they replace. */
export interface Replaced {
  readonly to: RaceChange
  readonly was: RaceChange
}

export interface SaveRace {
  /** Saves some fields. Rejects with the refusal. */
  save(change: Replaced): Promise<Race>
  /** Pending changes, which are shown. The next one replaces their values. */
  readonly unsaved: readonly RaceChange[]
  /** When the last change was saved; null if none was. */
  readonly savedAt: EpochMs | null
  /** Resolves once a new race has its plans, or once they were refused. */
  hasPlans(): Promise<void>
  /** Called when something else of the race was saved. */
  onSaved(): void
}

interface NewRace {
  /** False before it is added. The list of races contains only the newest ones. */
  readonly isStored: boolean
  /** The answers about it before the first change. */
  readonly defaults: PreparedRace
  /** The race whose plans it gets; undefined without one. */
  readonly last: Race | undefined
  readonly onAdded: () => void
}

/**
 * Saves changes of a race one after the other; the first one of a race that is not stored adds it. Its plans are copied
 * beside them: they take many requests, and a change that waited for them would be lost with the page.
 */
export function useSaveRace(
  teamId: string,
  raceId: string,
  { isStored, defaults, last, onAdded }: NewRace,
): SaveRace {
  const client = useQueryClient()
  const serverNow = useServerClock()
  const [savedAt, setSavedAt] = useState<EpochMs | null>(null)
  const { queryKey } = racesQuery(teamId)
  const toasts = useToasts()
  /** True from when the race is added here until its plans are stored: the next save copies them again. */
  const isAdding = useRef(false)
  const copying = useRef(Promise.resolve())
  const invalidate = () => {
    void client.invalidateQueries({ queryKey })
    for (const key of carRaceKeys) void client.invalidateQueries({ queryKey: key })
  }
  const { mutateAsync } = useMutation({
    scope: { id: `race:${raceId}` },
    mutationFn: async ({ to, was }: Replaced) => {
      const listed = client.getQueryData<Race[]>(queryKey)
      const isKnown = isStored || listed?.some(({ id }) => id === raceId)
      if (!isKnown) isAdding.current = true
      const race = isKnown ? { id: raceId, ...to } : { id: raceId, ...defaults, ...to }
      return command('races.save', { teamId, race, ...(isKnown && { was }) })
    },
    onSuccess: async race => {
      await client.cancelQueries({ queryKey })
      client.setQueryData<Race[]>(queryKey, races => withRace(races, race))
      if (!isAdding.current) return setSavedAt(serverNow())
      onAdded()
      copying.current = copying.current.then(() => copyTo(race))
    },
    onSettled: invalidate,
  })
  async function copyTo(added: Race): Promise<void> {
    if (!isAdding.current) return
    try {
      if (last) await copyPlans(client, { teamId, last, added })
      isAdding.current = false
      setSavedAt(serverNow())
    } catch (reason) {
      toasts.error(planText.saveFailed, refusalText(reason), 'plan')
    }
    invalidate()
  }
  const [unsaved, setUnsaved] = useState<readonly RaceChange[]>([])
  async function save(change: Replaced): Promise<Race> {
    setUnsaved(all => [...all, change.to])
    try {
      return await mutateAsync(change)
    } finally {
      setUnsaved(all => all.filter(each => each !== change.to))
    }
  }
  return {
    save,
    unsaved,
    savedAt,
    hasPlans: () => copying.current,
    onSaved: () => setSavedAt(serverNow()),
  }
}
