import { useQueryClient } from '@tanstack/react-query'
import type { Session } from '#contract/sessions.ts'
import { command } from '#web/api/call.ts'
import { patchList, withoutItem } from '#web/api/patchList.ts'
import { activeSessionsQuery } from '#web/api/teamQueries.ts'
import { teamsText } from '#web/text/teams.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { useCommand } from '#web/ui/useCommand.ts'
import { useConfirmation } from '#web/ui/useConfirmation.ts'

interface EndSessionProps {
  session: Session
  /** The name of the button for another driver's session, whose phone is silent. */
  label?: string
}

/** Ends a session after a confirmation. */
export function EndSession({ session, label }: EndSessionProps) {
  const client = useQueryClient()
  const end = useCommand({
    send: () => command('sessions.end', { sessionId: session.id }),
    failed: teamsText.endFailed,
    onSuccess: ({ id, teamId }) => {
      patchList(client, activeSessionsQuery(teamId).queryKey, list => withoutItem(list, id))
    },
  })
  const confirmation = useConfirmation(() => end.mutate())
  const text = teamsText.endText(session.name)
  return (
    <>
      <Button variant="danger" aria-label={label} busy={end.isPending} onClick={confirmation.ask}>
        {teamsText.endSession}
      </Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={teamsText.endTitle}
        car={session.car?.number}
        text={label === undefined ? text : `${text} ${teamsText.endSilentText}`}
        cancelLabel={teamsText.keepSession}
        confirmLabel={teamsText.endSession}
      />
    </>
  )
}
