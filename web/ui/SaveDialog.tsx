import { useMutation } from '@tanstack/react-query'
import type { ReactNode, SyntheticEvent } from 'react'
import { type DefaultValues, type FieldPath, type FieldValues, useForm } from 'react-hook-form'
import { CallRefused } from '#web/api/callRefused.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { refusedFields, showRefusedFields } from '#web/api/showRefusedFields.ts'
import { appText } from '#web/text/app.ts'
import { DialogError, FormDialog, SaveChoices } from './Dialog.tsx'
import { Stack } from './Wrap.tsx'

interface FormProps {
  form: {
    /** The request that stores what was entered. */
    save: { error: unknown; isPending: boolean }
    /** Fields that show the server's errors about them; any other error is shown below the fields. */
    fields?: readonly string[]
    /** False disables saving. */
    valid?: boolean
    onSubmit: (event: SyntheticEvent) => unknown
  }
  saveLabel?: string
  cancelLabel?: string
  /** Saving removes something. */
  isDanger?: boolean
  onCancel: () => void
  children: ReactNode
}

/** The form in a dialog: its fields, why saving failed, and the buttons. */
export function DialogForm(props: FormProps) {
  const { saveLabel = appText.save, cancelLabel = appText.cancel, isDanger = false } = props
  const { save, fields = [], valid = true, onSubmit } = props.form
  const reason = save.error === null ? null : reasonBelow(save.error, fields)
  return (
    <form
      noValidate
      onSubmit={event => {
        // The dialog may be part of another form.
        event.stopPropagation()
        void onSubmit(event)
      }}
    >
      <Stack>
        {props.children}
        {reason !== null && <DialogError>{reason}</DialogError>}
      </Stack>
      <SaveChoices
        cancelLabel={cancelLabel}
        saveLabel={saveLabel}
        valid={valid}
        busy={save.isPending}
        isDanger={isDanger}
        onCancel={props.onCancel}
      />
    </form>
  )
}

/** Returns why saving failed, unless the fields show it as their own errors. */
function reasonBelow(error: unknown, shown: readonly string[]): string | null {
  if (refusedFields(error, shown).length > 0) return null
  const [of] = error instanceof CallRefused ? Object.values(error.fields) : []
  return of ?? refusalText(error)
}

interface DialogProps extends Omit<FormProps, 'onCancel'> {
  title: ReactNode
  /** Called by the cancel button instead of `onClose`. */
  onCancel?: () => void
  onClose: () => void
}

/** A dialog with a form, which stays open until the response. Shown while it is rendered. */
export function SaveDialog({ title, onClose, onCancel = onClose, ...form }: DialogProps) {
  return (
    <FormDialog title={title} busy={form.form.save.isPending} onClose={onClose}>
      <DialogForm {...form} onCancel={onCancel} />
    </FormDialog>
  )
}

interface Options<Values extends FieldValues, Output> {
  defaultValues: DefaultValues<Values>
  /** Fields that the server may refuse, each with its own error. */
  fields?: readonly FieldPath<Values>[]
  send: (values: Values) => Promise<Output>
  onSaved: (output: Output, values: Values) => unknown
  /** When fields are validated at first. */
  mode?: 'onTouched' | 'onChange'
}

/** Returns react-hook-form's functions for the fields of a form that is sent to the server, and the form itself. */
export function useSaveForm<Values extends FieldValues, Output>(options: Options<Values, Output>) {
  const { defaultValues, fields = [], send, onSaved, mode = 'onTouched' } = options
  const { handleSubmit, formState, ...rest } = useForm<Values>({ mode, defaultValues })
  const save = useMutation({
    mutationFn: send,
    onSuccess: onSaved,
    onError: reason => void showRefusedFields(reason, fields, rest.setError),
  })
  const onSubmit = handleSubmit(values => save.mutate(values))
  const form = { save, fields, valid: formState.isValid, onSubmit }
  return { ...rest, errors: formState.errors, form }
}
