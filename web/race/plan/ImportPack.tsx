import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { RulePack } from '#contract/rulePacks.ts'
import { maxRulePackLetters } from '#contract/shared/raceRules.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { refusedFields } from '#web/api/showRefusedFields.ts'
import { planText } from '#web/text/plan.ts'
import { Button } from '#web/ui/Button.tsx'
import { DialogError, FormDialog, SaveChoices } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { Stack } from '#web/ui/Wrap.tsx'
import styles from './Plan.module.css'
import { useChangePacks } from './useRulePacks.ts'

interface Props {
  teamId: string
  onImported: (pack: RulePack) => void
}

/** A button to import a rule pack, with its dialog, which stays open until the response. */
export function ImportPack({ teamId, onImported }: Props) {
  const [open, setOpen] = useState(false)
  const change = useChangePacks(teamId)
  const close = () => {
    change.reset()
    setOpen(false)
  }
  return (
    <>
      <Button variant="quiet" narrow onClick={() => setOpen(true)}>
        {planText.importPack}
      </Button>
      <FormDialog open={open} title={planText.importTitle} busy={change.isPending} onClose={close}>
        <ImportForm
          change={change}
          onCancel={close}
          onImported={pack => {
            close()
            onImported(pack)
          }}
        />
      </FormDialog>
    </>
  )
}

interface FormProps {
  change: ReturnType<typeof useChangePacks>
  onCancel: () => void
  onImported: (pack: RulePack) => void
}

function ImportForm({ change, onCancel, onImported }: FormProps) {
  // Made once: a repeated press adds the same pack.
  const [id] = useState(() => crypto.randomUUID())
  const { register, handleSubmit, formState } = useForm<{ files: FileList | null }>({
    mode: 'onChange',
    defaultValues: { files: null },
  })
  async function save({ files }: { files: FileList | null }) {
    const file = await files?.[0]?.text()
    if (file === undefined) return
    change.mutate(
      { do: 'import', id, file },
      {
        onSuccess: packs => {
          const imported = packs.find(pack => pack.id === id)
          if (imported) onImported(imported)
        },
      },
    )
  }
  return (
    // A form in the dialog of another form: its event must not reach that one.
    <form
      noValidate
      onSubmit={event => {
        event.stopPropagation()
        void handleSubmit(save)(event)
      }}
    >
      <Stack>
        <p className={typography.sub}>{planText.importText}</p>
        <Field
          {...register('files', {
            validate: files => fileError(files),
            onChange: () => change.reset(),
          })}
          type="file"
          className={styles.file}
          accept=".json,application/json"
          label={planText.importFile}
          error={formState.errors.files?.message}
        />
        {change.error && <DialogError>{reasonOf(change.error)}</DialogError>}
      </Stack>
      <SaveChoices
        cancelLabel={planText.cancel}
        saveLabel={planText.importPack}
        valid={formState.isValid}
        busy={change.isPending}
        onCancel={onCancel}
      />
    </form>
  )
}

/** Returns the problem of the file, or the reason why it could not be imported. */
function reasonOf(refused: unknown): string {
  return refusedFields(refused, ['file'])[0]?.[1] ?? refusalText(refused)
}

function fileError(files: FileList | null): true | string {
  const [file] = files ?? []
  if (!file) return planText.fileMissing
  return file.size <= maxRulePackLetters || planText.fileTooLong
}
