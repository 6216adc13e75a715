import { ProfileMenu } from '#web/features/profile/ProfileMenu.tsx'
import { CreateTeamScreen } from '#web/features/teams/CreateTeamScreen.tsx'

/** Add Team, with the profile in its bar. */
export function CreateTeam() {
  return <CreateTeamScreen profile={<ProfileMenu />} />
}
