import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { ListedSession } from '#contract/sessions.ts'
import { usePhotos } from '#web/api/pictures.ts'
import { membersQuery } from '#web/api/teamQueries.ts'
import { driverName } from '#web/race/driverName.ts'
import { lapTime } from '#web/race/lapFigures.ts'
import { teamsText } from '#web/text/teams.ts'
import { dayAndTime } from '#web/ui/dates.ts'
import { Row, RowLinks, Rows } from '#web/ui/Rows.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import styles from './SessionList.module.css'
import { SessionPlate } from './SessionPlate.tsx'

interface Props {
  teamId: string
  sessions: readonly ListedSession[]
  /** The sentence for an empty list. */
  nothing: string
}

/** Sessions with links to their laps, messages and map. */
export function SessionList({ teamId, sessions, nothing }: Props) {
  const photoOf = usePhotos(teamId)
  const { data: members } = useQuery(membersQuery(teamId))
  if (sessions.length === 0) return <p className={typography.sub}>{nothing}</p>
  return (
    <Rows label={teamsText.allSessions}>
      {sessions.map(session => (
        <Row
          key={session.id}
          plate={<SessionPlate session={session} photoOf={photoOf} />}
          title={session.name}
          detail={detailOf(session, members?.some(({ id }) => id === session.driver.id) ?? true)}
          {...(session.bestLapMs !== null && {
            figures: (
              <>
                <span className={typography.hidden}>{teamsText.bestLap} </span>
                <span className={styles.best}>{lapTime(session.bestLapMs)}</span>
              </>
            ),
          })}
          choices={<SessionLinks teamId={teamId} session={session} />}
        />
      ))}
    </Rows>
  )
}

function SessionLinks({ teamId, session }: { teamId: string; session: ListedSession }) {
  const { links } = teamsText
  const path = `/teams/${teamId}/${session.id}`
  const all = [
    [links.laps, `${path}/laps`],
    [links.messages, `${path}/log`],
    // The map of an ended session would only show where the car stopped: its replay shows the whole drive.
    session.endedAt === null
      ? [links.map, `${path}/message?view=map`]
      : [links.replay, `${path}/laps/replay`],
  ]
  return (
    <RowLinks>
      {all.map(([name = '', to = '']) => (
        <Link key={name} to={to} aria-label={links.of(name, session.name)}>
          {name}
        </Link>
      ))}
    </RowLinks>
  )
}

function detailOf(session: ListedSession, isMember: boolean): string {
  const { startedAt, endedAt, circuit, laps, imported } = session
  return [
    endedAt === null ? teamsText.active : dayAndTime.format(startedAt),
    driverName(session),
    ...(imported ? [teamsText.imported] : []),
    ...(isMember ? [] : [teamsText.driverLeft]),
    ...(circuit === null ? [] : [circuit]),
    ...(laps === 0 ? [] : [teamsText.laps(laps, wholeNumber(laps))]),
  ].join(' · ')
}
