import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import { command } from '#web/api/call.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { appText } from '#web/text/app.ts'
import { logText } from '#web/text/log.ts'
import { Button } from '#web/ui/Button.tsx'
import { RenameDialog } from '#web/ui/RenameDialog.tsx'
import { useToasts } from '#web/ui/toasts.ts'

/** A button to rename the session, with its dialog. */
export function RenameSession({ session }: { session: Session }) {
  const { id: sessionId, teamId, name } = session
  const client = useQueryClient()
  const toasts = useToasts()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        {logText.rename}
      </Button>
      {open && (
        <RenameDialog
          title={logText.rename}
          label={logText.sessionName}
          missing={logText.sessionNameMissing}
          name={name}
          send={input => command('sessions.rename', { sessionId, ...input })}
          onRenamed={renamed => {
            client.setQueryData(sessionQuery(sessionId).queryKey, renamed)
            // Every list of a team's sessions has the team's id as the second part of its key.
            void client.invalidateQueries({
              predicate: ({ queryKey: [call, id] }) =>
                id === teamId && String(call).startsWith('sessions.'),
            })
            toasts.success(appText.success, logText.renamed(renamed.name))
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
