import { useQueryClient } from '@tanstack/react-query'
import type { InputOf } from '#contract/api.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { command } from '#web/api/call.ts'
import { setMe, useMe } from '#web/api/login.ts'
import { profileText } from '#web/text/profile.ts'
import { Field } from '#web/ui/Field.tsx'
import { required } from '#web/ui/required.ts'
import { SaveDialog, useSaveForm } from '#web/ui/SaveDialog.tsx'
import { useToasts } from '#web/ui/toasts.ts'

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
