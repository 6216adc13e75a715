import { useMutation } from '@tanstack/react-query'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { profileText } from '#web/text/profile.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { useToasts } from '#web/ui/toasts.ts'

interface Props {
  open: boolean
  onClose: () => void
}

/** Asks for confirmation, then deletes all positions of this user. Stays open until the response. */
export function DeleteAllPositions({ open, onClose }: Props) {
  const toasts = useToasts()
  const remove = useMutation({
    mutationFn: () => command('users.deletePositions', {}),
    onSuccess: ({ deleted, continues }) => {
      const count = whole.format(deleted)
      toasts.success(
        profileText.deleted,
        continues ? profileText.deletedSoFar(count) : profileText.deletedText(count),
      )
    },
    onError: reason => toasts.error(profileText.deleteFailed, refusalText(reason)),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      open={open}
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

const whole = new Intl.NumberFormat()
