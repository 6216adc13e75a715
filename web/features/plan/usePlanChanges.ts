import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { CarPlan, PlanChange } from '#contract/races/races.ts'
import type { RaceOfSession } from '#contract/races/stints.ts'
import { changedPlan } from '#contract/shared/racing/changedPlan.ts'
import { command } from '#web/api/call.ts'
import { textStore } from '#web/device/textStore.ts'
import { stintsQuery } from '#web/stints/useStints.ts'
import { type PlanOwner, readDraft, storeDraft } from './planDraft.ts'

export interface PlanChanges {
  /** The plan with the changes that are not stored yet. */
  readonly plan: CarPlan | null
  /** True if changes are neither stored nor on their way. */
  readonly isUnsaved: boolean
  /** The last refusal; null if an earlier page left the changes. */
  readonly failure: unknown
  readonly isPending: boolean
  change(change: PlanChange): void
  /** Sends all unstored changes again. */
  retry(): void
  discard(): void
}

/**
 * Changes the plan of the session's car. Changes are shown at once. They stay on the device until they are stored or
 * discarded, even if the page is closed.
 */
export function usePlanChanges(sessionId: string, { race, plan, car }: RaceOfSession): PlanChanges {
  const client = useQueryClient()
  const { queryKey } = stintsQuery(sessionId)
  const [raceId, carId] = [race?.id ?? null, car?.id ?? null]
  const owner = useMemo(() => ({ sessionId, raceId, carId }), [sessionId, raceId, carId])
  // Others may have changed the plan since, so a draft of an earlier page is not sent without being asked.
  const [unsaved, setUnsaved] = useState<readonly PlanChange[]>(() => newsOf(owner, plan))
  const [isLeft, setLeft] = useState(unsaved.length > 0)
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => storeDraft(textStore, owner, unsaved), [owner, unsaved])
  const send = useMutation({
    // One after the other, in the order of the presses.
    scope: { id: `plan:${sessionId}` },
    mutationFn: async (change: PlanChange) => {
      if (!race) return null
      return command('races.changePlan', { raceId: race.id, carId: car?.id ?? null, change })
    },
    onSuccess: async (stored, change) => {
      await client.cancelQueries({ queryKey })
      if (stored)
        client.setQueryData<RaceOfSession>(queryKey, shown => shown && { ...shown, plan: stored })
      setUnsaved(all => all.filter(each => each !== change))
      setFailure(null)
      setLeft(false)
    },
    onError: setFailure,
    onSettled: () => void client.invalidateQueries({ queryKey }),
  })
  return {
    plan: plan && unsaved.reduce(changedPlan, plan),
    isUnsaved: unsaved.length > 0 && (failure !== null || isLeft),
    failure,
    isPending: send.isPending,
    change(change) {
      setUnsaved(all => [...all, change])
      send.mutate(change)
    },
    retry() {
      for (const change of unsaved) send.mutate(change)
    },
    discard() {
      setUnsaved([])
      setFailure(null)
      setLeft(false)
    },
  }
}

/** Returns the changes of an earlier page that the plan lacks. */
function newsOf(owner: PlanOwner, plan: CarPlan | null): PlanChange[] {
  const draft = readDraft(textStore, owner)
  if (!plan || JSON.stringify(draft.reduce(changedPlan, plan)) === JSON.stringify(plan)) return []
  return draft
}
