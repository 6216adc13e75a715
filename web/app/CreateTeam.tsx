import { CreateTeamScreen } from '#web/teams/CreateTeamScreen.tsx'
import { Profile } from './Profile.tsx'

/** The Add Team screen, with the profile menu in its bar. */
export function CreateTeam() {
  return <CreateTeamScreen profile={<Profile />} />
}
