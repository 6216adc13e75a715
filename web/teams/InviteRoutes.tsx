import { useParams } from 'react-router'
import { Redirect } from '#web/ui/Redirect.tsx'
import { InviteScreen } from './InviteScreen.tsx'
import { JoinCodeScreen } from './JoinCodeScreen.tsx'

/** The ways to add people to a team: by email, and by a code. */
export function InviteRoutes() {
  const { by } = useParams()
  if (by === 'invite') return <InviteScreen />
  return by === 'code' ? <JoinCodeScreen /> : <Redirect to="/teams" />
}
