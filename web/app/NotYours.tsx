import { appText } from '#web/text/app.ts'
import { teamsText } from '#web/text/teams.ts'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { LogoPage } from '#web/ui/LogoPage.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'

/**
 * Shown in place of a team's screens when the team does not exist or the user is not a member. The
 * sentence is null for a user who was a member until now.
 */
export function NotYours({ sentence }: { sentence: string | null }) {
  usePageTitle(teamsText.notYours)
  return (
    <LogoPage to="/teams">
      <PageHead title={teamsText.notYours} sub={sentence ?? teamsText.noLongerIn} />
      <LinkButton to="/teams">{appText.toTeams}</LinkButton>
    </LogoPage>
  )
}
