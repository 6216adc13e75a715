import { ProfileMenu } from '#web/features/profile/ProfileMenu.tsx'
import { TeamListScreen } from '#web/features/teams/TeamListScreen.tsx'

/** The team list, with the profile menu in its bar. */
export function TeamList() {
  return <TeamListScreen profile={<ProfileMenu />} />
}
