import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import type { Team } from '#contract/teams.ts'
import { command } from '#web/api/call.ts'
import { teamQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusals/refusalText.ts'
import { refusedFields, showRefusedFields } from '#web/api/refusals/showRefusedFields.ts'
import { teamsQuery } from '#web/api/teamQueries.ts'
import { appText } from '#web/text/app.ts'
import { membersText } from '#web/text/members.ts'
import { teamsText } from '#web/text/teams.ts'
import { ActionButton } from '#web/ui/buttons/ActionCard.tsx'
import { Field } from '#web/ui/forms/Field.tsx'
import { Stack } from '#web/ui/layout/Wrap.tsx'
import { DialogError, FormDialog, SaveChoices } from '#web/ui/overlays/Dialog.tsx'
import { useToasts } from '#web/ui/overlays/toasts.ts'
import typography from '#web/ui/theme/typography.module.css'

/** The owner's card to rename the team, with its dialog, which stays open until the response. */
export function RenameTeam({ team }: { team: Team }) {
  const [open, setOpen] = useState(false)
  const rename = useRename(team.id, () => setOpen(false))
  function cancel() {
    rename.reset()
    setOpen(false)
  }
  return (
    <>
      <ActionButton icon={<Pencil aria-hidden />} onAct={() => setOpen(true)}>
        <b className={typography.lead}>{membersText.rename}</b>
        <span className={typography.dash}> - </span>
        {membersText.renameText}
      </ActionButton>
      <FormDialog open={open} title={membersText.rename} busy={rename.isPending} onClose={cancel}>
        <RenameForm name={team.name} rename={rename} onCancel={cancel} />
      </FormDialog>
    </>
  )
}

function useRename(teamId: string, onDone: () => void) {
  const client = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: (input: { name: string }) => command('teams.rename', { teamId, ...input }),
    onSuccess: team => {
      client.setQueryData(teamQuery(teamId).queryKey, team)
      void client.invalidateQueries({ queryKey: teamsQuery.queryKey })
      toasts.success(appText.success, membersText.renamed(team.name))
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
          {...register('name', { validate: text => text.trim() !== '' || teamsText.nameMissing })}
          label={teamsText.name}
          error={formState.errors.name?.message}
          maxLength={maxNameLetters}
          autoComplete="off"
        />
        {rename.error && refusedFields(rename.error, ['name']).length === 0 && (
          <DialogError>{refusalText(rename.error)}</DialogError>
        )}
      </Stack>
      <SaveChoices
        cancelLabel={membersText.cancel}
        saveLabel={membersText.save}
        valid={formState.isValid}
        busy={rename.isPending}
        onCancel={onCancel}
      />
    </form>
  )
}
