import { ProfileMenu } from '#web/features/profile/ProfileMenu.tsx'
import { CreateTeamScreen } from '#web/features/teams/CreateTeamScreen.tsx'

/** The Add Team screen, with the profile menu in its bar. */
export function CreateTeam() {
  return <CreateTeamScreen profile={<ProfileMenu />} />
}
