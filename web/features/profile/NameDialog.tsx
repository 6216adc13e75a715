import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { command } from '#web/api/call.ts'
import { setMe, useMe } from '#web/api/login.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { showRefusedFields } from '#web/api/showRefusedFields.ts'
import { profileText } from '#web/text/profile.ts'
import { Button } from '#web/ui/Button.tsx'
import { DialogChoices, FormDialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import styles from './NameDialog.module.css'

interface Props {
  open: boolean
  onClose: () => void
}

/** Changes the name under which the teams see this user. */
export function NameDialog({ open, onClose }: Props) {
  return (
    <FormDialog open={open} title={profileText.nameTitle} onClose={onClose}>
      <NameForm onClose={onClose} />
    </FormDialog>
  )
}

function NameForm({ onClose }: { onClose: () => void }) {
  const { firstName, lastName } = useMe()
  const client = useQueryClient()
  const toasts = useToasts()
  const { register, handleSubmit, formState, setError } = useForm({
    mode: 'onTouched',
    defaultValues: { firstName: firstName ?? '', lastName: lastName ?? '' },
  })
  const { errors } = formState
  const rename = useMutation({
    mutationFn: (name: { firstName: string; lastName: string }) => command('users.rename', name),
    onSuccess: me => {
      setMe(client, me)
      // Lists of members and drivers carry the old name.
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'auth.login' })
      toasts.success(profileText.saved, profileText.savedText(`${me.firstName} ${me.lastName}`))
      onClose()
    },
    onError: reason => {
      if (showRefusedFields(reason, ['firstName', 'lastName'], setError)) return
      setError('root', { message: refusalText(reason) })
    },
  })
  return (
    <form noValidate onSubmit={event => void handleSubmit(it => rename.mutate(it))(event)}>
      <Stack>
        <Field
          {...register('firstName', {
            validate: text => text.trim() !== '' || profileText.firstNameMissing,
          })}
          label={profileText.firstName}
          error={errors.firstName?.message}
          maxLength={80}
          autoComplete="given-name"
        />
        <Field
          {...register('lastName', {
            validate: text => text.trim() !== '' || profileText.lastNameMissing,
          })}
          label={profileText.lastName}
          error={errors.lastName?.message}
          maxLength={80}
          autoComplete="family-name"
        />
        {errors.root && (
          <p className={styles.failed} role="alert">
            {errors.root.message}
          </p>
        )}
      </Stack>
      <DialogChoices>
        <Button look="quiet" onClick={onClose}>
          {profileText.cancel}
        </Button>
        <Button type="submit" disabled={!formState.isValid} busy={rename.isPending}>
          {profileText.save}
        </Button>
      </DialogChoices>
    </form>
  )
}
