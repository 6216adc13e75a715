import { maxNameLetters } from '#contract/shared/bounds.ts'
import { Field } from './Field.tsx'
import { required } from './required.ts'
import { SaveDialog, useSaveForm } from './SaveDialog.tsx'

interface Props<Renamed> {
  title: string
  /** Label of the field. */
  label: string
  missing: string
  name: string
  send: (input: { name: string }) => Promise<Renamed>
  onRenamed: (renamed: Renamed) => void
  onClose: () => void
}

/** A dialog to rename something. */
export function RenameDialog<Renamed>(props: Props<Renamed>) {
  const { title, label, missing, name, send, onRenamed, onClose } = props
  const { register, errors, form } = useSaveForm({
    defaultValues: { name },
    fields: ['name'],
    send,
    onSaved: renamed => {
      onRenamed(renamed)
      onClose()
    },
  })
  return (
    <SaveDialog title={title} form={form} onClose={onClose}>
      <Field
        {...register('name', required(missing))}
        label={label}
        error={errors.name?.message}
        maxLength={maxNameLetters}
      />
    </SaveDialog>
  )
}
