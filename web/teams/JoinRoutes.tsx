import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { loginQuery } from '#web/api/loginQuery.ts'
import { Redirect } from '#web/ui/Redirect.tsx'
import { InvitationScreen } from './InvitationScreen.tsx'
import { JoinScreen } from './JoinScreen.tsx'

/** `/join/CODE` for anybody, and `/join/invitation/ID`, which the button of a mail opens, for signed-in people. */
export function JoinRoutes() {
  const { '*': rest = '' } = useParams()
  const [first = '', invitationId] = rest.split('/')
  const { data } = useQuery(loginQuery)
  if (first !== 'invitation' || invitationId === undefined) return <JoinScreen code={first} />
  if (!data) return null
  if (data.login) return <InvitationScreen invitationId={invitationId} />
  const next = `/join/invitation/${invitationId}`
  return <Redirect to={`/auth/sign-in?${new URLSearchParams({ next })}`} />
}
