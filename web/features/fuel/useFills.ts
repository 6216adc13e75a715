import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Fill } from '#contract/races/fills.ts'
import { command } from '#web/api/call.ts'
import { stintsQuery } from '#web/stints/useStints.ts'

export type FillChange =
  | { readonly do: 'add' | 'change'; readonly fill: Omit<Fill, 'kind'> & { kind: 'full' | 'part' } }
  | { readonly do: 'remove'; readonly fillId: string }
  | { readonly do: 'set-start'; readonly litres: number | null }

/** Stores changes of fuel entries, and shows the stored ones at once. */
export function useFills(sessionId: string) {
  const client = useQueryClient()
  const { queryKey } = stintsQuery(sessionId)
  return useMutation({
    mutationFn: (change: FillChange) => send(sessionId, change),
    onSuccess: fills => client.setQueryData(queryKey, race => race && { ...race, fills }),
  })
}

function send(sessionId: string, change: FillChange): Promise<Fill[]> {
  switch (change.do) {
    case 'add':
    case 'change': {
      const { id: fillId, at, litres, kind } = change.fill
      return command(`fills.${change.do}`, { sessionId, fillId, at: Math.round(at), litres, kind })
    }
    case 'remove':
      return command('fills.remove', { sessionId, fillId: change.fillId })
    case 'set-start':
      return command('fills.setStart', { sessionId, litres: change.litres })
  }
}
