import { useParams } from 'react-router'
import { command } from '#web/api/call.ts'
import { useLiveQuery } from '#web/live/useLiveQuery.ts'
import { racesQuery, runningRace } from '#web/race/racesQuery.ts'
import { useStoredCarRace } from '#web/race/useStoredCarRace.ts'
import { takeoverText as text } from '#web/text/takeover.ts'
import { teamsText } from '#web/text/teams.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { useCommand } from '#web/ui/useCommand.ts'
import { useConfirmation } from '#web/ui/useConfirmation.ts'
import styles from './RaceOver.module.css'

interface Props {
  /** The session of this phone. */
  own: string
  /** Only a car that stands has buttons. */
  isStanding: boolean
}

/** The start of a race is no event in the room of a session that is not in it. */
const refreshMs = 5_000

/** Says after the race of a session that the next one needs another session, and ends it once the car stands. */
export function RaceOver({ own, isStanding }: Props) {
  const { data } = useStoredCarRace(own)
  if (data?.race == null || data.race.endedAt === null) return null
  return <Over {...{ own, isStanding }} carId={data.car?.id ?? null} />
}

function Over({ own, isStanding, carId }: Props & { carId: string | null }) {
  const { teamId = '' } = useParams()
  // By its own room: a phone in the room of the team counts as one at the pit wall.
  const { data: races } = useLiveQuery({
    room: `session:${own}`,
    query: { ...racesQuery(teamId), refetchInterval: refreshMs },
    outdatedBy: ({ t }) => t === 'race-changed',
  })
  const running = runningRace(races, carId)
  return (
    <section className={styles.over} data-plate={isStanding ? 'over' : 'waiting'}>
      <p>
        <b>{running ? text.runs(running.name) : text.raceOver}</b>
        {running ? text.isBefore : text.needsNew}
      </p>
      {isStanding && <EndThis sessionId={own} />}
    </section>
  )
}

function EndThis({ sessionId }: { sessionId: string }) {
  const end = useCommand({
    send: () => command('sessions.end', { sessionId }),
    failed: teamsText.endFailed,
  })
  const confirmation = useConfirmation(() => end.mutate())
  return (
    <>
      <button type="button" disabled={end.isPending} onClick={confirmation.ask}>
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
