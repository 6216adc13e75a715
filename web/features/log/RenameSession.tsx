import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { Session } from '#contract/sessions.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { command } from '#web/api/call.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusals/refusalText.ts'
import { refusedFields, showRefusedFields } from '#web/api/refusals/showRefusedFields.ts'
import { appText } from '#web/text/app.ts'
import { logText } from '#web/text/log.ts'
import { Button } from '#web/ui/buttons/Button.tsx'
import { Field } from '#web/ui/forms/Field.tsx'
import { Stack } from '#web/ui/layout/Wrap.tsx'
import { DialogError, FormDialog, SaveChoices } from '#web/ui/overlays/Dialog.tsx'
import { useToasts } from '#web/ui/overlays/toasts.ts'

/** A button to rename the session, with its dialog, which stays open until the response. */
export function RenameSession({ session }: { session: Session }) {
  const [open, setOpen] = useState(false)
  const rename = useRename(session, () => setOpen(false))
  function cancel() {
    rename.reset()
    setOpen(false)
  }
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        {logText.rename}
      </Button>
      <FormDialog open={open} title={logText.rename} busy={rename.isPending} onClose={cancel}>
        <RenameForm name={session.name} rename={rename} onCancel={cancel} />
      </FormDialog>
    </>
  )
}

function useRename({ id: sessionId, teamId }: Session, onDone: () => void) {
  const client = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: (input: { name: string }) => command('sessions.rename', { sessionId, ...input }),
    onSuccess: session => {
      client.setQueryData(sessionQuery(sessionId).queryKey, session)
      // Every list of a team's sessions has the team's id as the second part of its key.
      void client.invalidateQueries({
        predicate: ({ queryKey: [call, id] }) =>
          id === teamId && String(call).startsWith('sessions.'),
      })
      toasts.success(appText.success, logText.renamed(session.name))
      onDone()
    },
  })
}

interface FormProps {
  name: string
  rename: ReturnType<typeof useRename>
  onCancel: () => void
}

function RenameForm({ name, rename, onCancel }: FormProps) {
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
            validate: text => text.trim() !== '' || logText.sessionNameMissing,
          })}
          label={logText.sessionName}
          error={formState.errors.name?.message}
          maxLength={maxNameLetters}
          autoComplete="off"
        />
        {rename.error && refusedFields(rename.error, ['name']).length === 0 && (
          <DialogError>{refusalText(rename.error)}</DialogError>
        )}
      </Stack>
      <SaveChoices
        cancelLabel={logText.cancel}
        saveLabel={logText.save}
        valid={formState.isValid}
        busy={rename.isPending}
        onCancel={onCancel}
      />
    </form>
  )
}
