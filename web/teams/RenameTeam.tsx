import { useQueryClient } from '@tanstack/react-query'
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
import { useToasts } from '#web/ui/toasts.ts'

/** The owner's card to rename the team, with its dialog. */
export function RenameTeam({ team }: { team: Team }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActionButton
        icon={<Pencil aria-hidden />}
        lead={membersText.rename}
        onAct={() => setOpen(true)}
      >
        {membersText.renameText}
      </ActionButton>
      {open && (
        <RenameDialog
          title={membersText.rename}
          label={teamsText.name}
          missing={teamsText.nameMissing}
          name={team.name}
          send={input => command('teams.rename', { teamId: team.id, ...input })}
          onRenamed={renamed => {
            client.setQueryData(teamQuery(team.id).queryKey, renamed)
            void client.invalidateQueries({ queryKey: teamsQuery.queryKey })
            toasts.success(appText.success, membersText.renamed(renamed.name))
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
