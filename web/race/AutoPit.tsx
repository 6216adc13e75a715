import { useMutation, useQueryClient } from '@tanstack/react-query'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { fuelText } from '#web/text/fuel.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { DialogError } from '#web/ui/Dialog.tsx'
import { carRaceQuery } from './carRaceQuery.ts'

/** The setting whether the plan sends PIT automatically. */
export function AutoPit({ sessionId, isOn }: { sessionId: string; isOn: boolean }) {
  const client = useQueryClient()
  const set = useMutation({
    mutationFn: (on: boolean) => command('stints.setAutoPit', { sessionId, on }),
    onSuccess: async race => {
      client.setQueryData(carRaceQuery(sessionId).queryKey, race)
      await client.invalidateQueries({ queryKey: ['carRaces.ofRace'] })
    },
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
