import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { clearLogin } from '#web/api/login.ts'
import { loginQuery } from '#web/api/loginQuery.ts'
import { LiveProvider } from '#web/live/LiveProvider.tsx'
import { Redirect } from '#web/ui/Redirect.tsx'
import { AllowScreen } from '#web/wall/AllowScreen.tsx'
import { BigWall } from '#web/wall/BigWall.tsx'
import { UnpairedTelevision } from '#web/wall/UnpairedTelevision.tsx'
import { ConnectionNotice } from './ConnectionNotice.tsx'
import { signInFor } from './nextPath.ts'
import { onThisDevice } from './onThisDevice.ts'
import { Starting } from './Starting.tsx'

/**
 * `/tv`: the wall of a connected television, with a live connection but none of the notices for people; and `/tv/allow`,
 * where a signed-in member enters the code of a television.
 */
export function Television() {
  const client = useQueryClient()
  const place = useLocation()
  const { data } = useQuery(loginQuery)
  const login = data?.login
  if (place.pathname === '/tv/allow') {
    if (login) return <AllowScreen />
    return data ? <Redirect to={signInFor(place)} /> : <Starting />
  }
  if (!login?.television) return <UnpairedTelevision />
  return (
    <LiveProvider userId={login.user.id} onSignedOut={() => clearLogin(client)} {...onThisDevice}>
      <ConnectionNotice />
      <BigWall {...login.television} />
    </LiveProvider>
  )
}
