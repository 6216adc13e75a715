import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { teamQuery } from '#web/api/queries.ts'
import { teamsText } from '#web/text/teams.ts'
import { SubPage, type SubPageProps } from './SubPage.tsx'

/** A page of a team, with a link back to that one, which is named after the team, or to one of its pages. */
export function TeamPage(
  props: Omit<SubPageProps, 'back' | 'backTo'> & Partial<Pick<SubPageProps, 'back' | 'backTo'>>,
) {
  const { teamId = '' } = useParams()
  const { data: team } = useQuery(teamQuery(teamId))
  return <SubPage backTo={`/teams/${teamId}`} back={team?.name ?? teamsText.page} {...props} />
}
