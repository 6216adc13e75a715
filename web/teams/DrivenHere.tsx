import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CallRefused } from '#web/api/callRefused.ts'
import { useMe } from '#web/api/login.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { drivenSession } from '#web/device/drivenSession.ts'
import { teamsText } from '#web/text/teams.ts'
import { DriveCard } from '#web/ui/DriveCard.tsx'
import typography from '#web/ui/theme/typography.module.css'
import styles from './DriveSection.module.css'

/**
 * The way back to the drive screen of the session that runs on this phone, also without a network; its children if none
 * runs.
 */
export function DrivenHere({ children }: { children?: ReactNode }) {
  const me = useMe()
  const driven = drivenSession()
  const { data, failureReason } = useQuery({
    ...sessionQuery(driven?.sessionId ?? ''),
    enabled: driven !== null,
  })
  const runs = data
    ? data.status === 'Active' && data.driver.id === me.id
    : failureReason instanceof CallRefused && !failureReason.isInaccessible
  if (!driven || !runs) return children
  return (
    <DriveCard to={`/teams/${driven.teamId}/${driven.sessionId}/drive`}>
      <b className={typography.lead}>{teamsText.drive}</b>
      <span className={styles.dash}> - </span>
      {teamsText.enterSession}
    </DriveCard>
  )
}
