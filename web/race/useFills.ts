import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Fill } from '#contract/fills.ts'
import { command } from '#web/api/call.ts'
import { carRaceQuery } from './carRaceQuery.ts'
import { type EnteredFill, fillValues, isEntered, isSameFill } from './enteredFill.ts'

export type FillChange =
  | { readonly do: 'add'; readonly fill: EnteredFill }
  /** `was` is the fill as the member saw it: a newer correction of another person stays. */
  | { readonly do: 'change'; readonly fill: EnteredFill; readonly was: EnteredFill }
  | { readonly do: 'remove'; readonly fillId: string }
  /** `was` are the litres that the member saw; null without an entry. */
  | { readonly do: 'set-start'; readonly litres: number | null; readonly was: number | null }

/** Stores changes of fuel entries, and shows the stored ones at once. */
export function useFills(sessionId: string) {
  const client = useQueryClient()
  const { queryKey } = carRaceQuery(sessionId)
  return useMutation({
    mutationFn: (change: FillChange) => send(sessionId, change),
    onSuccess: fills => client.setQueryData(queryKey, race => race && { ...race, fills }),
  })
}

function send(sessionId: string, change: FillChange): Promise<Fill[]> {
  switch (change.do) {
    case 'add':
      return add(sessionId, change.fill)
    case 'change':
      return command('fills.change', {
        ...inputOf(sessionId, change.fill),
        was: fillValues(change.was),
      })
    case 'remove':
      return command('fills.remove', { sessionId, fillId: change.fillId })
    case 'set-start': {
      const { litres, was } = change
      return command('fills.setStart', { sessionId, litres, was })
    }
  }
}

/**
 * An earlier try, whose response was lost, may have stored the fill with other values: they are corrected. Its time
 * stays, because with a fill of this stop a further one would be now.
 */
async function add(sessionId: string, fill: EnteredFill): Promise<Fill[]> {
  const { at, ...input } = inputOf(sessionId, fill)
  const fills = await command('fills.add', { ...input, at })
  const stored = fills.filter(isEntered).find(({ id }) => id === fill.id)
  if (!stored || isSameFill(stored, fill)) return fills
  return command('fills.change', input)
}

function inputOf(sessionId: string, fill: EnteredFill) {
  return { sessionId, fillId: fill.id, at: Math.round(fill.at), ...fillValues(fill) }
}
