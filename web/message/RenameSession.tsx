import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import { command } from '#web/api/call.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { appText } from '#web/text/app.ts'
import { logText } from '#web/text/log.ts'
import { Button } from '#web/ui/Button.tsx'
import { RenameDialog } from '#web/ui/RenameDialog.tsx'
import { useToasts } from '#web/ui/toasts.ts'

/** A button to rename the session, with its dialog, which stays open until the response. */
export function RenameSession({ session }: { session: Session }) {
  const [open, setOpen] = useState(false)
  const rename = useRename(session, () => setOpen(false))
  const text = {
    ...logText,
    title: logText.rename,
    name: logText.sessionName,
    nameMissing: logText.sessionNameMissing,
  }
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        {logText.rename}
      </Button>
      <RenameDialog
        name={session.name}
        text={text}
        rename={rename}
        open={open}
        onClose={() => setOpen(false)}
      />
    </>
  )
}

function useRename({ id: sessionId, teamId }: Session, onDone: () => void) {
  const client = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: (input: { name: string }) => command('sessions.rename', { sessionId, ...input }),
    onSuccess: session => {
      client.setQueryData(sessionQuery(sessionId).queryKey, session)
      // Every list of a team's sessions has the team's id as the second part of its key.
      void client.invalidateQueries({
        predicate: ({ queryKey: [call, id] }) =>
          id === teamId && String(call).startsWith('sessions.'),
      })
      toasts.success(appText.success, logText.renamed(session.name))
      onDone()
    },
  })
}
