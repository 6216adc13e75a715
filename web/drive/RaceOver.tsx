import { useMutation } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useLiveQuery } from '#web/live/useLiveQuery.ts'
import { racesQuery, runningRace } from '#web/race/racesQuery.ts'
import { useStoredCarRace } from '#web/race/useStoredCarRace.ts'
import { takeoverText as text } from '#web/text/takeover.ts'
import { teamsText } from '#web/text/teams.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { useConfirmation } from '#web/ui/useConfirmation.ts'
import styles from './RaceOver.module.css'

interface Props {
  /** The session of this phone. */
  sessionId: string
  /** Only a car that stands has buttons. */
  isStanding: boolean
}

/** A session's room does not publish other races, so the list is polled. */
const refreshMs = 60_000

/**
 * Shows after the race of a session that the next race needs another session. The driver can end it once the car
 * stands.
 */
export function RaceOver({ sessionId, isStanding }: Props) {
  const { data } = useStoredCarRace(sessionId)
  if (data?.race == null || data.race.endedAt === null) return null
  return <RaceOverNotice {...{ sessionId, isStanding }} carId={data.car?.id ?? null} />
}

function RaceOverNotice({ sessionId, isStanding, carId }: Props & { carId: string | null }) {
  const { teamId = '' } = useParams()
  // By its own room: a phone in the room of the team counts as one at the pit wall.
  const { data: races } = useLiveQuery({
    room: `session:${sessionId}`,
    query: { ...racesQuery(teamId), refetchInterval: refreshMs },
    outdatedBy: ({ t }) => t === 'race-changed',
  })
  const running = runningRace(races, carId)
  // The glass shows no toasts.
  const end = useMutation({ mutationFn: () => command('sessions.end', { sessionId }) })
  return (
    <section className={styles.over} data-plate={isStanding ? 'over' : 'waiting'}>
      {end.error ? (
        <p role="alert">
          <b>{teamsText.endFailed}</b>
          {refusalText(end.error)}
        </p>
      ) : (
        <p>
          <b>{running ? text.isRunning(running.name) : text.raceOver}</b>
          {running ? text.inPastRace : text.needsNew}
        </p>
      )}
      {isStanding && <EndThis isPending={end.isPending} onEnd={() => end.mutate()} />}
    </section>
  )
}

function EndThis({ isPending, onEnd }: { isPending: boolean; onEnd: () => void }) {
  const confirmation = useConfirmation(onEnd)
  return (
    <>
      <button type="button" disabled={isPending} onClick={confirmation.ask}>
        {text.endThis}
      </button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={teamsText.endTitle}
        text={text.endText}
        cancelLabel={teamsText.keepSession}
        confirmLabel={teamsText.endSession}
      />
    </>
  )
}
