import type { Session } from '#contract/sessions.ts'
import { command } from '#web/api/call.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { logText } from '#web/text/log.ts'
import { grouped } from '#web/ui/grouped.ts'
import { SelectField } from '#web/ui/SelectField.tsx'
import { useCommand } from '#web/ui/useCommand.ts'

/** In seconds; null is never. */
const choices: readonly (number | null)[] = [null, 30, 60, 120, 300, 600, 3600]

const never = 'never'

/** Setting for the time after which a message expires if the driver's screen has not shown it. */
export function Expiry({ session }: { session: Session }) {
  const { id: sessionId, teamId, status, expireAfterS } = session
  const viewer = useIsViewer(teamId)
  // The event in the session's room updates all screens, including this one.
  const change = useCommand({
    failed: logText.expiryFailed,
    send: (seconds: number | null) =>
      command('sessions.setExpiry', { sessionId, expireAfterS: seconds }),
  })
  const selected = change.isPending ? change.variables : expireAfterS
  const offered = choices.includes(selected)
    ? choices
    : [...choices, selected].sort((a, b) => (a ?? 0) - (b ?? 0))
  return (
    <SelectField
      label={logText.expiry}
      hint={logText.expiryHint}
      value={selected ?? never}
      disabled={viewer || status !== 'Active' || change.isPending}
      onChange={event =>
        change.mutate(event.target.value === never ? null : Number(event.target.value))
      }
    >
      {offered.map(seconds => (
        <option key={seconds} value={seconds ?? never}>
          {seconds === null ? logText.expiryNever : durationText(seconds)}
        </option>
      ))}
    </SelectField>
  )
}

function durationText(seconds: number): string {
  return seconds % 60 === 0
    ? logText.expiryMinutes(grouped(seconds / 60))
    : logText.expirySeconds(grouped(seconds))
}
