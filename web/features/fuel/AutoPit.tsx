import { useMutation, useQueryClient } from '@tanstack/react-query'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusals/refusalText.ts'
import { stintsQuery } from '#web/stints/useStints.ts'
import { fuelText } from '#web/text/race/fuel.ts'
import { Checkbox } from '#web/ui/forms/Checkbox.tsx'
import { DialogError } from '#web/ui/overlays/Dialog.tsx'

/** The setting whether the plan sends PIT automatically. */
export function AutoPit({ sessionId, isOn }: { sessionId: string; isOn: boolean }) {
  const client = useQueryClient()
  const set = useMutation({
    mutationFn: (on: boolean) => command('stints.setAutoPit', { sessionId, on }),
    onSuccess: race => client.setQueryData(stintsQuery(sessionId).queryKey, race),
  })
  return (
    <>
      <Checkbox
        label={fuelText.autoPit}
        checked={set.isPending ? set.variables : isOn}
        disabled={set.isPending}
        onChange={event => set.mutate(event.target.checked)}
      />
      {set.error && <DialogError>{refusalText(set.error)}</DialogError>}
    </>
  )
}
