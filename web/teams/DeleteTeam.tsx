import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Team } from '#contract/teams.ts'
import { command } from '#web/api/call.ts'
import { patchList, withoutItem } from '#web/api/patchList.ts'
import { deletedTeamsQuery, teamsQuery } from '#web/api/teamQueries.ts'
import { appText } from '#web/text/app.ts'
import { membersText } from '#web/text/members.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { SaveDialog } from '#web/ui/SaveDialog.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'

/** Lets the owner delete the team, once its name has been typed. */
export function DeleteTeam({ team }: { team: Team }) {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const save = useDelete(team)
  const valid = sameName(typed, team.name)
  function close() {
    save.reset()
    setTyped('')
    setOpen(false)
  }
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (valid) save.mutate()
  }
  return (
    <>
      <Button variant="danger" narrow onClick={() => setOpen(true)}>
        {membersText.deleteTeam}
      </Button>
      {open && (
        <SaveDialog
          title={membersText.deleteTitle(team.name)}
          form={{ save, valid, onSubmit }}
          saveLabel={membersText.deleteTeam}
          isDanger
          onClose={close}
        >
          <p className={typography.sub}>{membersText.deleteText}</p>
          <Field
            label={membersText.typeName}
            value={typed}
            placeholder={team.name}
            onChange={event => setTyped(event.target.value)}
          />
        </SaveDialog>
      )}
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
