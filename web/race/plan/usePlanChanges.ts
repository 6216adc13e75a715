import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { StoredCarRace } from '#contract/carRaces.ts'
import { changedPlan } from '#contract/changedPlan.ts'
import type { CarPlan, PlanChange } from '#contract/races.ts'
import { command } from '#web/api/call.ts'
import { textStore } from '#web/device/textStore.ts'
import { carRaceKeys } from '#web/race/carRaceKeys.ts'
import { isSamePlan, type PlanOwner, readDraft, storeDraft } from './planDraft.ts'
import { withoutReplaced } from './withoutReplaced.ts'

export interface PlanChanges {
  /** The plan with the changes that are not stored yet. */
  readonly plan: CarPlan | null
  /** True if changes are neither stored nor on their way. */
  readonly isUnsaved: boolean
  /** The last refusal of a change that is not stored; null if an earlier page left the changes. */
  readonly failure: unknown
  readonly isPending: boolean
  change(change: PlanChange): void
  /** Sends all unstored changes again. */
  retry(): void
  discard(): void
}

/** A change that is not stored yet. */
interface UnsavedChange {
  readonly owner: PlanOwner
  readonly change: PlanChange
  /** `left` by an earlier page. A failed change stays so while it is sent again. */
  readonly state: 'sending' | 'failed' | 'left'
  readonly failure: unknown
}

type Sent = Pick<UnsavedChange, 'owner' | 'change'>

/**
 * Changes the plan of a car in a race. Changes are shown at once. They stay on the device until they are stored or
 * discarded, even if the page is closed.
 */
export function usePlanChanges(
  raceId: string,
  carId: string | null,
  plan: CarPlan | null,
): PlanChanges {
  const client = useQueryClient()
  const owner = useMemo(() => ({ raceId, carId }), [raceId, carId])
  // Others may have changed the plan since, so a draft of an earlier page is not sent without being asked.
  const [all, setAll] = useState<readonly UnsavedChange[]>(() =>
    newsOf(owner, plan).map(change => ({ owner, change, state: 'left', failure: null })),
  )
  // Another car may be chosen: its plan has none of these changes.
  const unsaved = useMemo(() => all.filter(each => isSamePlan(each.owner, owner)), [all, owner])
  useEffect(() => {
    storeDraft(
      textStore,
      owner,
      unsaved.map(({ change }) => change),
    )
  }, [owner, unsaved])
  const send = useMutation({
    // One after the other, in the order of the presses.
    scope: { id: `plan:${raceId}` },
    mutationFn: async ({ owner: { raceId, carId }, change }: Sent) =>
      command('races.changePlan', { raceId, carId, change }),
    onSuccess: async (stored, { owner, change }) => {
      for (const queryKey of carRaceKeys) {
        await client.cancelQueries({ queryKey })
        client.setQueriesData<StoredCarRace>({ queryKey }, shown =>
          shown && isPlanOf(shown, owner) ? { ...shown, plan: stored } : shown,
        )
      }
      setAll(all => withoutStored(all, change, stored))
    },
    onError: (failure, { change }) => {
      setAll(all =>
        all.map(each => (each.change === change ? { ...each, state: 'failed', failure } : each)),
      )
    },
    onSettled: () => {
      for (const queryKey of carRaceKeys) void client.invalidateQueries({ queryKey })
    },
  })
  return {
    plan: plan && unsaved.map(({ change }) => change).reduce(changedPlan, plan),
    isUnsaved: unsaved.some(({ state }) => state !== 'sending'),
    failure: unsaved.findLast(({ state }) => state === 'failed')?.failure ?? null,
    isPending: send.isPending,
    change(change) {
      setAll(all => [...all, { owner, change, state: 'sending', failure: null }])
      send.mutate({ owner, change })
    },
    retry() {
      for (const { change } of unsaved) send.mutate({ owner, change })
    },
    discard() {
      setAll(all => all.filter(each => !isSamePlan(each.owner, owner)))
    },
  }
}

function isPlanOf({ race, car }: StoredCarRace, { raceId, carId }: PlanOwner): boolean {
  return race?.id === raceId && (car?.id ?? null) === carId
}

/** Removes a change that the server has stored, and what it replaces of older ones. */
function withoutStored(
  all: readonly UnsavedChange[],
  stored: PlanChange,
  plan: CarPlan | null,
): readonly UnsavedChange[] {
  const index = all.findIndex(({ change }) => change === stored)
  const newer = all[index]
  // It was discarded while it was on its way.
  if (!newer) return all
  const older = all.slice(0, index).flatMap(each => {
    const change =
      plan && isSamePlan(each.owner, newer.owner)
        ? withoutReplaced(each.change, stored, plan)
        : each.change
    return change ? { ...each, change } : []
  })
  return [...older, ...all.slice(index + 1)]
}

/** Returns the changes of an earlier page that the plan lacks. */
function newsOf(owner: PlanOwner, plan: CarPlan | null): PlanChange[] {
  const draft = readDraft(textStore, owner)
  if (!plan || JSON.stringify(draft.reduce(changedPlan, plan)) === JSON.stringify(plan)) return []
  return draft
}
