import { useState } from 'react'
import { command } from '#web/api/call.ts'
import { lapsKey } from '#web/device/lapsKey.ts'
import { textStore } from '#web/device/textStore.ts'
import { logText } from '#web/text/log.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { grouped } from '#web/ui/grouped.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { useConfirmation } from '#web/ui/useConfirmation.ts'

/** Deletes the positions of this user's own session, after a confirmation. */
export function DeletePositions({ sessionId }: { sessionId: string }) {
  const toasts = useToasts()
  const [withLaps, setWithLaps] = useState(false)
  const remove = useCommand({
    failed: logText.deleteFailed,
    send: () => command('sessions.deletePositions', { sessionId, withLaps }),
    onSuccess: ({ deleted, continues }) => {
      // The driver's phone has its own copy of the laps.
      if (withLaps) textStore.remove(lapsKey)
      const count = grouped(deleted)
      toasts.success(
        logText.deleted,
        continues ? logText.deletedSoFar(count) : logText.deletedText(count),
      )
    },
  })
  const confirmation = useConfirmation(() => remove.mutate())
  return (
    <>
      <Button variant="danger" busy={remove.isPending} onClick={confirmation.ask}>
        {logText.deletePositions}
      </Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={logText.deleteTitle}
        text={logText.deleteText}
        cancelLabel={logText.keepPositions}
        confirmLabel={logText.deletePositions}
      >
        <Checkbox
          label={logText.deleteLaps}
          checked={withLaps}
          onChange={({ target }) => setWithLaps(target.checked)}
        />
      </ConfirmDialog>
    </>
  )
}
