import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { TeamCircuit } from '#contract/circuits.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { maxCircuitFileLetters } from '#contract/shared/circuits/circuitRules.ts'
import { command } from '#web/api/call.ts'
import { circuitsText } from '#web/text/circuits.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { required } from '#web/ui/required.ts'
import { SaveDialog, useSaveForm } from '#web/ui/SaveDialog.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useShowCircuit } from './useShowCircuit.ts'

interface Input {
  name: string
  files: FileList | null
}

/** A button to import a circuit, with its dialog. */
export function ImportCircuit({ teamId }: { teamId: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" narrow onClick={() => setOpen(true)}>
        {circuitsText.import}
      </Button>
      {open && <ImportDialog teamId={teamId} onClose={() => setOpen(false)} />}
    </>
  )
}

function ImportDialog({ teamId, onClose }: { teamId: string; onClose: () => void }) {
  const show = useShowCircuit(teamId)
  const navigate = useNavigate()
  const { register, errors, form, setValue, getValues } = useSaveForm<Input, TeamCircuit>({
    mode: 'onChange',
    defaultValues: { name: '', files: null },
    fields: ['name'],
    send: async ({ name, files }) =>
      command('circuits.import', { teamId, name, file: (await files?.[0]?.text()) ?? '' }),
    onSaved: circuit => {
      show(circuit, circuitsText.added(circuit.name ?? ''))
      onClose()
      void navigate(`/teams/${teamId}/circuits/${circuit.id}`)
    },
  })
  // Replaced by that of another file, unless the user changes it.
  const [filledName, setFilledName] = useState('')
  return (
    <SaveDialog
      title={circuitsText.importTitle}
      form={form}
      saveLabel={circuitsText.add}
      onClose={onClose}
    >
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
        accept=".geojson,.json,.gpx,application/geo+json,application/gpx+xml"
        label={circuitsText.file}
        error={errors.files?.message}
      />
      <Field
        {...register('name', required(circuitsText.nameMissing))}
        label={circuitsText.name}
        error={errors.name?.message}
        maxLength={maxNameLetters}
      />
    </SaveDialog>
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
