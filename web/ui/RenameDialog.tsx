import type { UseMutationResult } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { refusedFields, showRefusedFields } from '#web/api/showRefusedFields.ts'
import { DialogError, FormDialog, SaveChoices } from './Dialog.tsx'
import { Field } from './Field.tsx'
import { Stack } from './Wrap.tsx'

/** The mutation that renames something. */
type Rename = UseMutationResult<unknown, Error, { name: string }>

interface Text {
  readonly title: string
  /** The label of the field. */
  readonly name: string
  readonly nameMissing: string
  readonly cancel: string
  readonly save: string
}

interface Props {
  name: string
  text: Text
  rename: Rename
  open: boolean
  onClose: () => void
}

/** A dialog to rename something, which stays open until the response. */
export function RenameDialog({ name, text, rename, open, onClose }: Props) {
  function cancel() {
    rename.reset()
    onClose()
  }
  return (
    <FormDialog open={open} title={text.title} busy={rename.isPending} onClose={cancel}>
      <RenameForm name={name} text={text} rename={rename} onCancel={cancel} />
    </FormDialog>
  )
}

interface FormProps extends Pick<Props, 'name' | 'text' | 'rename'> {
  onCancel: () => void
}

function RenameForm({ name, text, rename, onCancel }: FormProps) {
  const { register, handleSubmit, formState, setError } = useForm({
    mode: 'onTouched',
    defaultValues: { name },
  })
  function save(input: { name: string }) {
    rename.mutate(input, { onError: reason => void showRefusedFields(reason, ['name'], setError) })
  }
  return (
    <form noValidate onSubmit={event => void handleSubmit(save)(event)}>
      <Stack>
        <Field
          {...register('name', {
            validate: entered => entered.trim() !== '' || text.nameMissing,
          })}
          label={text.name}
          error={formState.errors.name?.message}
          maxLength={maxNameLetters}
          autoComplete="off"
        />
        {rename.error && refusedFields(rename.error, ['name']).length === 0 && (
          <DialogError>{refusalText(rename.error)}</DialogError>
        )}
      </Stack>
      <SaveChoices
        cancelLabel={text.cancel}
        saveLabel={text.save}
        valid={formState.isValid}
        busy={rename.isPending}
        onCancel={onCancel}
      />
    </form>
  )
}
