import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { TeamCircuit } from '#contract/circuits.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusals/refusalText.ts'
import { refusedFields, showRefusedFields } from '#web/api/refusals/showRefusedFields.ts'
import { circuitQuery, circuitsQuery } from '#web/circuits/circuitQueries.ts'
import { appText } from '#web/text/app.ts'
import { circuitsText } from '#web/text/team/circuits.ts'
import { Field } from '#web/ui/forms/Field.tsx'
import { Stack } from '#web/ui/layout/Wrap.tsx'
import { DialogError, FormDialog, SaveChoices } from '#web/ui/overlays/Dialog.tsx'
import { useToasts } from '#web/ui/overlays/toasts.ts'

interface Props {
  teamId: string
  circuit: TeamCircuit
  open: boolean
  onClose: () => void
}

/** The dialog to rename a circuit, which stays open until the response. */
export function RenameCircuit({ teamId, circuit, open, onClose }: Props) {
  const rename = useRename(teamId, circuit.id, onClose)
  function cancel() {
    rename.reset()
    onClose()
  }
  return (
    <FormDialog open={open} title={circuitsText.rename} busy={rename.isPending} onClose={cancel}>
      <RenameForm name={circuit.name ?? ''} rename={rename} onCancel={cancel} />
    </FormDialog>
  )
}

function useRename(teamId: string, circuitId: string, onDone: () => void) {
  const client = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: (input: { name: string }) =>
      command('circuits.rename', { teamId, circuitId, ...input }),
    onSuccess: circuit => {
      client.setQueryData(circuitQuery(teamId, circuitId).queryKey, circuit)
      void client.invalidateQueries({ queryKey: circuitsQuery(teamId).queryKey })
      toasts.success(appText.success, circuitsText.renamed(circuit.name ?? ''))
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
            validate: text => text.trim() !== '' || circuitsText.nameMissing,
          })}
          label={circuitsText.name}
          error={formState.errors.name?.message}
          maxLength={maxNameLetters}
          autoComplete="off"
        />
        {rename.error && refusedFields(rename.error, ['name']).length === 0 && (
          <DialogError>{refusalText(rename.error)}</DialogError>
        )}
      </Stack>
      <SaveChoices
        cancelLabel={circuitsText.cancel}
        saveLabel={circuitsText.save}
        valid={formState.isValid}
        busy={rename.isPending}
        onCancel={onCancel}
      />
    </form>
  )
}
