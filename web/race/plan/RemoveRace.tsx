import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Race } from '#contract/races.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { racesQuery } from '#web/race/racesQuery.ts'
import { planText } from '#web/text/plan.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { useToasts } from '#web/ui/toasts.ts'

/** Deletes a race that has not started. */
export function RemoveRace({ teamId, race: { id, name } }: { teamId: string; race: Race }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => command('races.remove', { teamId, raceId: id }),
    onSuccess: async races => {
      await navigate(`/teams/${teamId}`, { replace: true })
      client.setQueryData(racesQuery(teamId).queryKey, races)
    },
    onError: reason => toasts.error(planText.removeFailed, refusalText(reason), 'plan'),
  })
  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        {planText.removeRace}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={planText.removeRaceTitle(name)}
        text={planText.removeRaceText}
        cancelLabel={planText.cancel}
        confirmLabel={planText.removeRace}
        busy={remove.isPending}
        onCancel={() => setAsking(false)}
        onConfirm={() => remove.mutate()}
      />
    </>
  )
}
