import { useQuery } from '@tanstack/react-query'
import type { Session } from '#contract/sessions.ts'
import { useMe } from '#web/api/login.ts'
import { activeSessionsQuery } from '#web/api/teamQueries.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { teamsText } from '#web/text/teams.ts'
import { DriveCard } from '#web/ui/DriveCard.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { DrivenHere } from './DrivenHere.tsx'
import styles from './DriveSection.module.css'
import { Elapsed } from './Elapsed.tsx'
import { EndSession } from './EndSession.tsx'

/** Link to the drive screen: of a new session, or of the one this user drives already. */
export function DriveSection({ teamId }: { teamId: string }) {
  const { id } = useMe()
  const viewer = useIsViewer(teamId)
  const { data: sessions } = useQuery(activeSessionsQuery(teamId))
  const own = sessions?.find(session => session.driver.id === id)
  if (own) return <OwnSession session={own} />
  if (viewer) return <p>{teamsText.viewOnly}</p>
  const start = (
    <DriveCard to={`/teams/${teamId}/new`} disabled={!sessions}>
      <span className={typography.lead}>{teamsText.startSession}</span>
    </DriveCard>
  )
  return sessions ? start : <DrivenHere>{start}</DrivenHere>
}

function OwnSession({ session }: { session: Session }) {
  const { id, teamId, name, startedAt } = session
  return (
    <div className={styles.own}>
      <DriveCard
        to={`/teams/${teamId}/${id}/drive?checks`}
        figures={<Elapsed since={startedAt} />}
        remark={name}
      >
        <b className={typography.lead}>{teamsText.drive}</b>
        <span className={styles.dash}> - </span>
        {teamsText.enterSession}
      </DriveCard>
      <EndSession session={session} />
    </div>
  )
}
