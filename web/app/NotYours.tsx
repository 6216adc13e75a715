import { appText } from '#web/text/app.ts'
import { teamsText } from '#web/text/teams.ts'
import { Bar, LogoLink } from '#web/ui/Bar.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Wrap } from '#web/ui/Wrap.tsx'

/**
 * Shown in place of a team's screens when the team does not exist or the user is not a member. The
 * sentence is null for a user who was a member until now.
 */
export function NotYours({ sentence }: { sentence: string | null }) {
  usePageTitle(teamsText.notYours)
  return (
    <>
      <Bar>
        <LogoLink to="/teams" label={appText.home} />
      </Bar>
      <Wrap>
        <PageHead title={teamsText.notYours} sub={sentence ?? teamsText.noLongerIn} />
        <LinkButton to="/teams">{appText.toTeams}</LinkButton>
      </Wrap>
    </>
  )
}
