import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { lapsKey } from '#web/device/lapsKey.ts'
import { textStore } from '#web/device/textStore.ts'
import { logText } from '#web/text/log.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { useConfirmation } from '#web/ui/useConfirmation.ts'

/** Deletes the positions of this user's own session, after a confirmation. */
export function DeletePositions({ sessionId }: { sessionId: string }) {
  const toasts = useToasts()
  const [withLaps, setWithLaps] = useState(false)
  const remove = useMutation({
    mutationFn: () => command('sessions.deletePositions', { sessionId, withLaps }),
    onSuccess: ({ deleted, continues }) => {
      // The driver's phone has its own copy of the laps.
      if (withLaps) textStore.remove(lapsKey)
      const count = whole.format(deleted)
      toasts.success(
        logText.deleted,
        continues ? logText.deletedSoFar(count) : logText.deletedText(count),
      )
    },
    onError: reason => toasts.error(logText.deleteFailed, refusalText(reason)),
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

const whole = new Intl.NumberFormat()
