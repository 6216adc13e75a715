import { useQueryClient } from '@tanstack/react-query'
import type { Session } from '#contract/sessions.ts'
import { command } from '#web/api/call.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { lapsText } from '#web/text/laps.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { useCommand } from '#web/ui/useCommand.ts'
import { useConfirmation } from '#web/ui/useConfirmation.ts'

interface Props {
  session: Session
  /** Whether turning it off deletes laps. */
  hasLaps: boolean
}

/** Turns lap timing of a session off and on. Asks before laps are deleted. */
export function LapTimingSetting({ session, hasLaps }: Props) {
  const { id: sessionId, lapTiming } = session
  const client = useQueryClient()
  const change = useCommand({
    failed: lapsText.changeFailed,
    send: (on: boolean) => command('sessions.setLapTiming', { sessionId, lapTiming: on }),
    onSuccess: changed => {
      client.setQueryData(sessionQuery(sessionId).queryKey, changed)
      void client.invalidateQueries({ queryKey: ['laps.list', sessionId] })
    },
  })
  const confirmation = useConfirmation(() => change.mutate(false))
  const isOff = change.isPending ? !change.variables : !lapTiming
  return (
    <>
      <Checkbox
        label={lapsText.noTiming}
        hint={lapsText.noTimingHint}
        checked={isOff}
        disabled={change.isPending}
        onChange={({ target }) => {
          if (target.checked && hasLaps) confirmation.ask()
          else change.mutate(!target.checked)
        }}
      />
      <ConfirmDialog
        {...confirmation.dialog}
        title={lapsText.turnOffTitle}
        text={lapsText.turnOffText}
        cancelLabel={lapsText.keep}
        confirmLabel={lapsText.turnOff}
      />
    </>
  )
}
