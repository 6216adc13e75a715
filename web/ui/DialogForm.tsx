import type { ReactNode, SyntheticEvent } from 'react'
import { refusalText } from '#web/api/refusalText.ts'
import { refusedFields } from '#web/api/showRefusedFields.ts'
import { appText } from '#web/text/app.ts'
import { DialogError, SaveChoices } from './Dialog.tsx'
import { Stack } from './Wrap.tsx'

interface Props {
  /** The request that stores what was entered. */
  save: { error: unknown; isPending: boolean }
  /** Fields that show the server's errors about them; any other error is shown below the fields. */
  fields?: readonly string[]
  /** False disables saving. */
  valid?: boolean
  saveLabel: string
  cancelLabel?: string
  onSubmit: (event: SyntheticEvent) => unknown
  onCancel: () => void
  children: ReactNode
}

/** The form in a dialog: its fields, why saving failed, and the buttons. */
export function DialogForm(props: Props) {
  const { save, fields = [], valid = true, saveLabel, cancelLabel = appText.cancel } = props
  const isShown = save.error !== null && refusedFields(save.error, fields).length === 0
  return (
    <form noValidate onSubmit={event => void props.onSubmit(event)}>
      <Stack>
        {props.children}
        {isShown && <DialogError>{refusalText(save.error)}</DialogError>}
      </Stack>
      <SaveChoices
        cancelLabel={cancelLabel}
        saveLabel={saveLabel}
        valid={valid}
        busy={save.isPending}
        onCancel={props.onCancel}
      />
    </form>
  )
}

/** Rule of a form: the field must not be empty. */
export function required(missing: string) {
  return { validate: (text: string) => text.trim() !== '' || missing }
}
