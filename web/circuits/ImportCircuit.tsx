import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { maxCircuitFileLetters } from '#contract/shared/circuits/circuitRules.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { refusedFields, showRefusedFields } from '#web/api/showRefusedFields.ts'
import { appText } from '#web/text/app.ts'
import { circuitsText } from '#web/text/circuits.ts'
import { Button } from '#web/ui/Button.tsx'
import { DialogError, FormDialog, SaveChoices } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import styles from './CircuitsScreen.module.css'
import { circuitQuery, circuitsQuery } from './circuitQueries.ts'

/** A button to import a circuit, with its dialog, which stays open until the response. */
export function ImportCircuit({ teamId }: { teamId: string }) {
  const [open, setOpen] = useState(false)
  const add = useImport(teamId, () => setOpen(false))
  function cancel() {
    add.reset()
    setOpen(false)
  }
  return (
    <>
      <Button variant="quiet" narrow onClick={() => setOpen(true)}>
        {circuitsText.import}
      </Button>
      <FormDialog
        open={open}
        title={circuitsText.importTitle}
        busy={add.isPending}
        onClose={cancel}
      >
        <ImportForm add={add} onCancel={cancel} />
      </FormDialog>
    </>
  )
}

function useImport(teamId: string, onDone: () => void) {
  const client = useQueryClient()
  const toasts = useToasts()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (input: { name: string; file: string }) =>
      command('circuits.import', { teamId, ...input }),
    onSuccess: circuit => {
      client.setQueryData(circuitQuery(teamId, circuit.id).queryKey, circuit)
      void client.invalidateQueries({ queryKey: circuitsQuery(teamId).queryKey })
      toasts.success(appText.success, circuitsText.added(circuit.name ?? ''))
      onDone()
      void navigate(`/teams/${teamId}/circuits/${circuit.id}`)
    },
  })
}

interface Input {
  name: string
  files: FileList | null
}

interface FormProps {
  add: ReturnType<typeof useImport>
  onCancel: () => void
}

function ImportForm({ add, onCancel }: FormProps) {
  const { register, handleSubmit, formState, setError, setValue, getValues } = useForm<Input>({
    mode: 'onChange',
    defaultValues: { name: '', files: null },
  })
  // Replaced by that of another file, unless the user changes it.
  const [filledName, setFilledName] = useState('')
  async function save({ name, files }: Input) {
    const file = await files?.[0]?.text()
    if (file === undefined) return
    add.mutate(
      { name, file },
      { onError: reason => void showRefusedFields(reason, ['name'], setError) },
    )
  }
  return (
    <form noValidate onSubmit={event => void handleSubmit(save)(event)}>
      <Stack>
        <p className={typography.sub}>{circuitsText.importText}</p>
        <Field
          {...register('files', {
            validate: files => fileError(files),
            onChange: () => {
              const [file] = getValues('files') ?? []
              if (!file || !['', filledName].includes(getValues('name'))) return
              const name = nameOf(file.name)
              setFilledName(name)
              setValue('name', name, { shouldValidate: true })
            },
          })}
          type="file"
          className={styles.file}
          accept=".geojson,.json,.gpx,application/geo+json,application/gpx+xml"
          label={circuitsText.file}
          error={formState.errors.files?.message}
        />
        <Field
          {...register('name', {
            validate: text => text.trim() !== '' || circuitsText.nameMissing,
          })}
          label={circuitsText.name}
          error={formState.errors.name?.message}
          maxLength={maxNameLetters}
          autoComplete="off"
        />
        {add.error && refusedFields(add.error, ['name']).length === 0 && (
          <DialogError>{refusalText(add.error)}</DialogError>
        )}
      </Stack>
      <SaveChoices
        cancelLabel={circuitsText.cancel}
        saveLabel={circuitsText.add}
        valid={formState.isValid}
        busy={add.isPending}
        onCancel={onCancel}
      />
    </form>
  )
}

function fileError(files: FileList | null): true | string {
  const [file] = files ?? []
  if (!file) return circuitsText.fileMissing
  return file.size <= maxCircuitFileLetters || circuitsText.fileTooLong
}

/** Returns the file's name without its ending. */
function nameOf(file: string): string {
  return file
    .replace(/\.[a-z]+$/i, '')
    .replaceAll(/[_-]+/g, ' ')
    .slice(0, maxNameLetters)
}
