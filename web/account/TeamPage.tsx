import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { teamQuery } from '#web/api/queries.ts'
import { teamsText } from '#web/text/teams.ts'
import { SubPage, type SubPageProps } from '#web/ui/SubPage.tsx'
import { ProfileMenu } from './ProfileMenu.tsx'

/** A page of a team, with the user's menu and a link back: by default to the team's own page, with its name. */
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
