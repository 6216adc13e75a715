import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { InputOf } from '#contract/api.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { command } from '#web/api/call.ts'
import { setMe, useMe } from '#web/api/login.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { refusedFields, showRefusedFields } from '#web/api/showRefusedFields.ts'
import { profileText } from '#web/text/profile.ts'
import { DialogError, FormDialog, SaveChoices } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { Stack } from '#web/ui/Wrap.tsx'

type Name = InputOf<'users.rename'>

interface Props {
  open: boolean
  onClose: () => void
}

const names = ['firstName', 'lastName'] as const

/** Dialog to change the user's own name. Stays open until the response. */
export function NameDialog({ open, onClose }: Props) {
  const rename = useRename(onClose)
  function cancel() {
    rename.reset()
    onClose()
  }
  return (
    <FormDialog open={open} title={profileText.nameTitle} busy={rename.isPending} onClose={cancel}>
      <NameForm rename={rename} onCancel={cancel} />
    </FormDialog>
  )
}

function useRename(onDone: () => void) {
  const client = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: (name: Name) => command('users.rename', name),
    onSuccess: me => {
      setMe(client, me)
      // Cached lists of members and drivers contain the old name.
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'auth.login' })
      toasts.success(profileText.saved, profileText.savedText(`${me.firstName} ${me.lastName}`))
      onDone()
    },
  })
}

interface FormProps {
  rename: ReturnType<typeof useRename>
  onCancel: () => void
}

function NameForm({ rename, onCancel }: FormProps) {
  const { firstName, lastName } = useMe()
  const { register, handleSubmit, formState, setError } = useForm<Name>({
    mode: 'onTouched',
    defaultValues: { firstName: firstName ?? '', lastName: lastName ?? '' },
  })
  const { errors } = formState
  function save(name: Name) {
    rename.mutate(name, { onError: reason => void showRefusedFields(reason, names, setError) })
  }
  return (
    <form noValidate onSubmit={event => void handleSubmit(save)(event)}>
      <Stack>
        <Field
          {...register('firstName', {
            validate: text => text.trim() !== '' || profileText.firstNameMissing,
          })}
          label={profileText.firstName}
          error={errors.firstName?.message}
          maxLength={maxNameLetters}
          autoComplete="given-name"
        />
        <Field
          {...register('lastName', {
            validate: text => text.trim() !== '' || profileText.lastNameMissing,
          })}
          label={profileText.lastName}
          error={errors.lastName?.message}
          maxLength={maxNameLetters}
          autoComplete="family-name"
        />
        {rename.error && refusedFields(rename.error, names).length === 0 && (
          <DialogError>{refusalText(rename.error)}</DialogError>
        )}
      </Stack>
      <SaveChoices
        cancelLabel={profileText.cancel}
        saveLabel={profileText.save}
        valid={formState.isValid}
        busy={rename.isPending}
        onCancel={onCancel}
      />
    </form>
  )
}
