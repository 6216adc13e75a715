import { useQueryClient } from '@tanstack/react-query'
import type { InputOf } from '#contract/api.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { command } from '#web/api/call.ts'
import { setMe, useMe } from '#web/api/login.ts'
import { profileText } from '#web/text/profile.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { grouped } from '#web/ui/grouped.ts'
import { required } from '#web/ui/required.ts'
import { SaveDialog, useSaveForm } from '#web/ui/SaveDialog.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'

export { DeleteAccountDialog } from './DeleteAccountDialog.tsx'
export { DevicesDialog } from './DevicesDialog.tsx'
export { EmailDialog } from './EmailDialog.tsx'
export { ExportDialog } from './ExportDialog.tsx'
export { NotificationsDialog } from './NotificationsDialog.tsx'
export { PasskeysDialog } from './PasskeysDialog.tsx'

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

/** Dialog to change the user's own name. */
export function NameDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const { firstName, lastName } = useMe()
  const { register, errors, form } = useSaveForm({
    defaultValues: { firstName: firstName ?? '', lastName: lastName ?? '' },
    fields: ['firstName', 'lastName'],
    send: (name: InputOf<'users.rename'>) => command('users.rename', name),
    onSaved: me => {
      setMe(client, me)
      // Cached lists of members and drivers contain the old name.
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'auth.login' })
      toasts.success(profileText.saved, profileText.savedText(`${me.firstName} ${me.lastName}`))
      onClose()
    },
  })
  return (
    <SaveDialog title={profileText.nameTitle} form={form} onClose={onClose}>
      <Field
        {...register('firstName', required(profileText.firstNameMissing))}
        label={profileText.firstName}
        error={errors.firstName?.message}
        maxLength={maxNameLetters}
        autoComplete="given-name"
      />
      <Field
        {...register('lastName', required(profileText.lastNameMissing))}
        label={profileText.lastName}
        error={errors.lastName?.message}
        maxLength={maxNameLetters}
        autoComplete="family-name"
      />
    </SaveDialog>
  )
}
