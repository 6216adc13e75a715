import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Team } from '#contract/teams.ts'
import { command } from '#web/api/call.ts'
import { patchList, withoutItem } from '#web/api/patchList.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { deletedTeamsQuery, teamsQuery } from '#web/api/teamQueries.ts'
import { appText } from '#web/text/app.ts'
import { membersText } from '#web/text/members.ts'
import { Button } from '#web/ui/Button.tsx'
import { DialogChoices, DialogError, FormDialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { Stack } from '#web/ui/Wrap.tsx'

/** Lets the owner delete the team, once its name has been typed. */
export function DeleteTeam({ team }: { team: Team }) {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const remove = useDelete(team)
  const confirmed = sameName(typed, team.name)
  function close() {
    remove.reset()
    setTyped('')
    setOpen(false)
  }
  return (
    <>
      <Button variant="danger" narrow onClick={() => setOpen(true)}>
        {membersText.deleteTeam}
      </Button>
      <FormDialog
        open={open}
        title={membersText.deleteTitle(team.name)}
        busy={remove.isPending}
        onClose={close}
      >
        <form
          noValidate
          onSubmit={event => {
            event.preventDefault()
            if (confirmed) remove.mutate()
          }}
        >
          <Stack>
            <p className={typography.sub}>{membersText.deleteText}</p>
            <Field
              label={membersText.typeName}
              value={typed}
              placeholder={team.name}
              autoComplete="off"
              onChange={event => setTyped(event.target.value)}
            />
            {remove.error && <DialogError>{refusalText(remove.error)}</DialogError>}
          </Stack>
          <DialogChoices>
            <Button variant="quiet" disabled={remove.isPending} onClick={close}>
              {membersText.cancel}
            </Button>
            <Button type="submit" variant="danger" disabled={!confirmed} busy={remove.isPending}>
              {membersText.deleteTeam}
            </Button>
          </DialogChoices>
        </form>
      </FormDialog>
    </>
  )
}

/** Compares names like a person does: a phone's keyboard may begin with a capital letter or add a space. */
function sameName(typed: string, name: string): boolean {
  return typed.trim().toLocaleLowerCase() === name.toLocaleLowerCase()
}

function useDelete(team: Team) {
  const client = useQueryClient()
  const toasts = useToasts()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => command('teams.delete', { teamId: team.id }),
    onSuccess: async () => {
      patchList(client, teamsQuery.queryKey, teams => withoutItem(teams, team.id))
      void client.invalidateQueries({ queryKey: deletedTeamsQuery.queryKey })
      toasts.success(appText.success, membersText.deleted(team.name))
      await navigate('/teams', { replace: true })
    },
  })
}
