import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, RefreshCw } from 'lucide-react'
import type { LapTimingStop } from '#contract/shared/lapTimingStops.ts'
import { command } from '#web/api/call.ts'
import { lapsQuery } from '#web/race/useLaps.ts'
import { lapsText } from '#web/text/laps.ts'
import { Button } from '#web/ui/Button.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useCommand } from '#web/ui/useCommand.ts'
import styles from './LapsScreen.module.css'

interface Props {
  sessionId: string
  stop: LapTimingStop
  /** False for viewers. */
  mayTimeAgain: boolean
}

/** Shows why no further laps of a session are timed, and times them again. */
export function TimingStopped({ sessionId, stop, mayTimeAgain }: Props) {
  const client = useQueryClient()
  const again = useCommand({
    failed: lapsText.notTimedAgain,
    send: () => command('laps.timeAgain', { sessionId }),
    onSuccess: () => client.invalidateQueries({ queryKey: lapsQuery(sessionId).queryKey }),
  })
  return (
    <div className={styles.stopped}>
      <output className={styles.stopReason}>
        <CircleAlert aria-hidden />
        {lapsText.timingStopped(stop)}
      </output>
      <p className={typography.sub}>{lapsText.timingStoppedText}</p>
      {mayTimeAgain && (
        <Button variant="quiet" narrow busy={again.isPending} onClick={() => again.mutate()}>
          {!again.isPending && <RefreshCw size={22} aria-hidden />}
          {lapsText.timeAgain}
        </Button>
      )}
    </div>
  )
}
