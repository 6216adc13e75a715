import { useState } from 'react'
import type { RulePack } from '#contract/rulePacks.ts'
import { maxRulePackLetters } from '#contract/shared/raceRules.ts'
import { planText } from '#web/text/plan.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { SaveDialog, useSaveForm } from '#web/ui/SaveDialog.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useChangePacks } from './useRulePacks.ts'

interface Props {
  teamId: string
  onImported: (pack: RulePack) => void
}

/** A button to import a rule pack, with its dialog. */
export function ImportPack({ teamId, onImported }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" narrow onClick={() => setOpen(true)}>
        {planText.importPack}
      </Button>
      {open && (
        <ImportDialog teamId={teamId} onImported={onImported} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

function ImportDialog({ teamId, onImported, onClose }: Props & { onClose: () => void }) {
  // Made once: a repeated press adds the same pack.
  const [id] = useState(() => crypto.randomUUID())
  const change = useChangePacks(teamId)
  const { register, errors, form } = useSaveForm<{ files: FileList | null }, RulePack[]>({
    mode: 'onChange',
    defaultValues: { files: null },
    send: async ({ files }) => {
      const file = (await files?.[0]?.text()) ?? ''
      return change.mutateAsync({ do: 'import', id, file })
    },
    onSaved: packs => {
      onClose()
      const imported = packs.find(pack => pack.id === id)
      if (imported) onImported(imported)
    },
  })
  return (
    <SaveDialog
      title={planText.importTitle}
      form={form}
      saveLabel={planText.importPack}
      onClose={onClose}
    >
      <p className={typography.sub}>{planText.importText}</p>
      <Field
        {...register('files', {
          validate: files => fileError(files),
          onChange: () => form.save.reset(),
        })}
        type="file"
        accept=".json,application/json"
        label={planText.importFile}
        error={errors.files?.message}
      />
    </SaveDialog>
  )
}

function fileError(files: FileList | null): true | string {
  const [file] = files ?? []
  if (!file) return planText.fileMissing
  return file.size <= maxRulePackLetters || planText.fileTooLong
}
