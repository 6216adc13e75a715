import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CarPlan, PlanChange } from '#contract/races.ts'
import { changedPlan } from '#contract/shared/changedPlan.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { command } from '#web/api/call.ts'
import { stintsQuery } from '#web/stints/useStints.ts'

export interface PlanChanges {
  /** The plan with the changes that are not stored yet. */
  readonly plan: CarPlan | null
  /** The last refusal; null while nothing failed. */
  readonly failure: unknown
  readonly isPending: boolean
  change(change: PlanChange): void
  /** Sends all changes that are not stored again. */
  retry(): void
  discard(): void
}

/** Changes the plan of the session's car. Changes are shown at once, and stay until they are stored or discarded. */
export function usePlanChanges(sessionId: string, { race, plan, car }: RaceOfSession): PlanChanges {
  const client = useQueryClient()
  const { queryKey } = stintsQuery(sessionId)
  const [unsaved, setUnsaved] = useState<readonly PlanChange[]>([])
  const [failure, setFailure] = useState<unknown>(null)
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
    },
    onError: setFailure,
    onSettled: () => void client.invalidateQueries({ queryKey }),
  })
  return {
    plan: plan && unsaved.reduce(changedPlan, plan),
    failure: unsaved.length > 0 ? failure : null,
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
    },
  }
}
