import { useQuery } from '@tanstack/react-query'
import { useMe } from '#web/api/login.ts'
import { sentenceOf } from '#web/api/refusalText.ts'
import { activeSessionsQuery } from '#web/api/teamQueries.ts'
import { teamsText } from '#web/text/teams.ts'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import typography from '#web/ui/theme/typography.module.css'
import styles from './OwnSessionLink.module.css'

/**
 * For a user who drives already: a link back to that session, and to the team's page where it can be
 * ended.
 */
export function OwnSessionLink({ teamId }: { teamId: string }) {
  const { id } = useMe()
  const { data: sessions } = useQuery({ ...activeSessionsQuery(teamId), refetchOnMount: 'always' })
  const own = sessions?.find(session => session.driver.id === id)
  return (
    <div className={styles.driving} role="alert">
      <p className={typography.lead}>{sentenceOf('already-driving')}</p>
      {own ? (
        <LinkButton variant="quiet" to={`/teams/${teamId}/${own.id}/drive?checks`}>
          {teamsText.enterOwn(own.name)}
        </LinkButton>
      ) : (
        <LinkButton variant="quiet" to={`/teams/${teamId}`}>
          {teamsText.toTeam}
        </LinkButton>
      )}
    </div>
  )
}
