import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import type { Session } from '#contract/sessions.ts'
import { command } from '#web/api/call.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { lapsText } from '#web/text/laps.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'

/** Turns the data link of an active session off and on. */
export function DataLinkSetting({ session }: { session: Session }) {
  const { id: sessionId, dataLink } = session
  const id = useId()
  const client = useQueryClient()
  const toasts = useToasts()
  const change = useMutation({
    mutationFn: (isOn: boolean) => command('sessions.setDataLink', { sessionId, dataLink: isOn }),
    onSuccess: changed => client.setQueryData(sessionQuery(sessionId).queryKey, changed),
    onError: reason => toasts.error(lapsText.changeFailed, refusalText(reason)),
  })
  return (
    <div>
      <Checkbox
        label={lapsText.dataLinkOff}
        checked={change.isPending ? !change.variables : !dataLink}
        disabled={change.isPending}
        aria-describedby={id}
        onChange={({ target }) => change.mutate(!target.checked)}
      />
      <p id={id} className={typography.sub}>
        {lapsText.dataLinkOffHint}
      </p>
    </div>
  )
}
