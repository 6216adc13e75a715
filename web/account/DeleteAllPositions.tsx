import { command } from '#web/api/call.ts'
import { profileText } from '#web/text/profile.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { grouped } from '#web/ui/grouped.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'

/** Asks for confirmation, then deletes all positions of this user. Stays open until the response. */
export function DeleteAllPositions({ onClose }: { onClose: () => void }) {
  const toasts = useToasts()
  const remove = useCommand({
    send: () => command('users.deletePositions', {}),
    failed: profileText.deleteFailed,
    onSuccess: ({ deleted, continues }) => {
      const count = grouped(deleted)
      toasts.success(
        profileText.deleted,
        continues ? profileText.deletedSoFar(count) : profileText.deletedText(count),
      )
    },
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      open
      title={profileText.deleteTitle}
      text={profileText.deleteText}
      cancelLabel={profileText.keepPositions}
      confirmLabel={profileText.deletePositions}
      busy={remove.isPending}
      onCancel={onClose}
      onConfirm={() => remove.mutate()}
    />
  )
}
