import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { teamQuery } from '#web/api/queries.ts'
import { teamsText } from '#web/text/teams.ts'
import { SubPage, type SubPageProps } from '#web/ui/SubPage.tsx'
import { ProfileMenu } from './ProfileMenu.tsx'

/** A page of a team: a link back to that one, which is named after the team, or to one of its pages, and the user's menu. */
export function TeamPage(
  props: Omit<SubPageProps, 'back' | 'backTo' | 'bar'> &
    Partial<Pick<SubPageProps, 'back' | 'backTo'>>,
) {
  const { teamId = '' } = useParams()
  const { data: team } = useQuery(teamQuery(teamId))
  return (
    <SubPage
      backTo={`/teams/${teamId}`}
      back={team?.name ?? teamsText.page}
      bar={<ProfileMenu />}
      {...props}
    />
  )
}
