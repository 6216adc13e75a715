import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { Team } from '#contract/teams.ts'
import { command } from '#web/api/call.ts'
import { teamQuery } from '#web/api/queries.ts'
import { teamsQuery } from '#web/api/teamQueries.ts'
import { appText } from '#web/text/app.ts'
import { membersText } from '#web/text/members.ts'
import { teamsText } from '#web/text/teams.ts'
import { ActionButton } from '#web/ui/ActionCard.tsx'
import { RenameDialog } from '#web/ui/RenameDialog.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'

/** The owner's card to rename the team, with its dialog, which stays open until the response. */
export function RenameTeam({ team }: { team: Team }) {
  const [open, setOpen] = useState(false)
  const rename = useRename(team.id, () => setOpen(false))
  const { name, nameMissing } = teamsText
  const text = { ...membersText, title: membersText.rename, name, nameMissing }
  return (
    <>
      <ActionButton icon={<Pencil aria-hidden />} onAct={() => setOpen(true)}>
        <b className={typography.lead}>{membersText.rename}</b>
        <span className={typography.dash}> - </span>
        {membersText.renameText}
      </ActionButton>
      <RenameDialog
        name={team.name}
        text={text}
        rename={rename}
        open={open}
        onClose={() => setOpen(false)}
      />
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
