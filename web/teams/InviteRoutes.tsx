import { useParams } from 'react-router'
import { Redirect } from '#web/ui/Redirect.tsx'
import { InviteScreen } from './InviteScreen.tsx'
import { JoinCodeScreen } from './JoinCodeScreen.tsx'

/** The ways to add people to a team: by email, and by a code. */
export function InviteRoutes() {
  switch (useParams().by) {
    case 'invite':
      return <InviteScreen />
    case 'code':
      return <JoinCodeScreen />
  }
  return <Redirect to="/teams" />
}
