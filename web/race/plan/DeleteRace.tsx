import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Race } from '#contract/races.ts'
import { command } from '#web/api/call.ts'
import { racesQuery } from '#web/race/racesQuery.ts'
import { appText } from '#web/text/app.ts'
import { planText } from '#web/text/plan.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { useCommand } from '#web/ui/useCommand.ts'

/** Deletes a race that has not started. */
export function DeleteRace({ teamId, race: { id, name } }: { teamId: string; race: Race }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const remove = useCommand({
    failed: planText.deleteFailed,
    send: () => command('races.remove', { teamId, raceId: id }),
    onSuccess: async races => {
      await navigate(`/teams/${teamId}`, { replace: true })
      client.setQueryData(racesQuery(teamId).queryKey, races)
    },
  })
  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        {planText.deleteRace}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={planText.deleteRaceTitle(name)}
        text={planText.deleteRaceText}
        cancelLabel={appText.cancel}
        confirmLabel={planText.deleteRace}
        busy={remove.isPending}
        onCancel={() => setAsking(false)}
        onConfirm={() => remove.mutate()}
      />
    </>
  )
}
