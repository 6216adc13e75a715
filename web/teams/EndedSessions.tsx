import { endedSessionsQuery } from '#web/api/teamQueries.ts'
import { useLiveQuery } from '#web/live/useLiveQuery.ts'
import { driverName } from '#web/race/driverName.ts'
import { teamsText } from '#web/text/teams.ts'
import { dayAndTime } from '#web/ui/dates.ts'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { SessionPlate } from './SessionPlate.tsx'
import styles from './TeamHomeScreen.module.css'
import { usePhotos } from './usePhotos.ts'

/** The team's recently ended sessions, each linked to its log. Renders nothing if none has ended. */
export function EndedSessions({ teamId }: { teamId: string }) {
  const { data: sessions = [] } = useLiveQuery({
    room: `team:${teamId}`,
    query: endedSessionsQuery(teamId),
    outdatedBy: ({ t }) =>
      t === 'session-started' || t === 'session-changed' || t === 'session-ended',
  })
  const photoOf = usePhotos(teamId)
  if (sessions.length === 0) return null
  return (
    <section className={styles.ended} aria-labelledby="ended">
      <SectionHead id="ended" title={teamsText.lastSessions} />
      <Rows labelledBy="ended">
        {sessions.map(session => (
          <Row
            key={session.id}
            to={`/teams/${teamId}/${session.id}/log`}
            plate={<SessionPlate session={session} photoOf={photoOf} />}
            title={session.name}
            detail={`${dayAndTime.format(session.endedAt)} · ${driverName(session)}`}
          />
        ))}
      </Rows>
    </section>
  )
}
