import { useQueryClient } from '@tanstack/react-query'
import { Flag } from 'lucide-react'
import { command } from '#web/api/call.ts'
import { lapsQuery } from '#web/race/useLaps.ts'
import { lapsText } from '#web/text/laps.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import styles from './LapsScreen.module.css'
import type { CarLap } from './useCarLaps.ts'

/** A lap that began with another phone is marked this long before its end: the phone saw that part. */
const beforeEndMs = 5000

/** A switch that marks a lap yellow, in the session of the phone that saw its end. */
export function MarkLap({ lap }: { lap: CarLap }) {
  const { sessionId, number, startedAt, timeMs, isSeen, marked } = lap
  const at = Math.floor(
    startedAt + (isSeen ? timeMs / 2 : Math.max(timeMs / 2, timeMs - beforeEndMs)),
  )
  const client = useQueryClient()
  const mark = useCommand({
    failed: lapsText.markFailed,
    send: (next: boolean) => command('laps.mark', { sessionId, at, marked: next }),
    // A later change may have been published before the response arrived.
    onSuccess: table => {
      const { queryKey } = lapsQuery(sessionId)
      // Only the first page.
      if (table.next !== undefined) return client.invalidateQueries({ queryKey })
      client.setQueryData(queryKey, known =>
        (known?.revision ?? 0) > (table.revision ?? 0) ? known : table,
      )
    },
  })
  const label = lapsText.markYellow(wholeNumber(number))
  return (
    <button
      type="button"
      className={styles.flag}
      aria-pressed={mark.isPending ? mark.variables : marked}
      aria-label={label}
      title={label}
      aria-disabled={mark.isPending || undefined}
      onClick={() => !mark.isPending && mark.mutate(!marked)}
    >
      <Flag size={20} aria-hidden />
    </button>
  )
}
