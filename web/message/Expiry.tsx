import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import type { Session } from '#contract/sessions.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { logText } from '#web/text/log.ts'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import styles from './LogScreen.module.css'

/** In seconds; null is never. */
const choices: readonly (number | null)[] = [null, 30, 60, 120, 300, 600, 3600]

const never = 'never'

/** Setting for the time after which a message expires if the driver's screen has not shown it. */
export function Expiry({ session }: { session: Session }) {
  const { id: sessionId, teamId, status, expireAfterS } = session
  const viewer = useIsViewer(teamId)
  const toasts = useToasts()
  const id = useId()
  // The event in the session's room updates all screens, including this one.
  const change = useMutation({
    mutationFn: (seconds: number | null) =>
      command('sessions.setExpiry', { sessionId, expireAfterS: seconds }),
    onError: reason => toasts.error(logText.expiryFailed, refusalText(reason)),
  })
  const selected = change.isPending ? change.variables : expireAfterS
  const offered = choices.includes(selected)
    ? choices
    : [...choices, selected].sort((a, b) => (a ?? 0) - (b ?? 0))
  return (
    <div className={styles.expiry}>
      <label htmlFor={id}>{logText.expiry}</label>
      <select
        id={id}
        value={selected ?? never}
        disabled={viewer || status !== 'Active' || change.isPending}
        aria-describedby={`${id}-hint`}
        onChange={event =>
          change.mutate(event.target.value === never ? null : Number(event.target.value))
        }
      >
        {offered.map(seconds => (
          <option key={seconds} value={seconds ?? never}>
            {seconds === null ? logText.expiryNever : durationText(seconds)}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} className={typography.sub}>
        {logText.expiryHint}
      </p>
    </div>
  )
}

const whole = new Intl.NumberFormat()

function durationText(seconds: number): string {
  return seconds % 60 === 0
    ? logText.expiryMinutes(whole.format(seconds / 60))
    : logText.expirySeconds(whole.format(seconds))
}
