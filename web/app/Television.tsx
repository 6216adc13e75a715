import { useQuery, useQueryClient } from '@tanstack/react-query'
import { clearLogin } from '#web/api/login.ts'
import { loginQuery } from '#web/api/loginQuery.ts'
import { LiveProvider } from '#web/live/LiveProvider.tsx'
import { BigWall } from '#web/wall/BigWall.tsx'
import { TelevisionScreen } from '#web/wall/TelevisionScreen.tsx'
import { ConnectionNotice } from './ConnectionNotice.tsx'
import { onThisDevice } from './onThisDevice.ts'

/** `/tv`: the wall of a connected television, with a live connection but none of the notices for people. */
export function Television() {
  const client = useQueryClient()
  const login = useQuery(loginQuery).data?.login
  if (!login?.television) return <TelevisionScreen />
  return (
    <LiveProvider userId={login.user.id} onSignedOut={() => clearLogin(client)} {...onThisDevice}>
      <ConnectionNotice />
      <BigWall {...login.television} />
    </LiveProvider>
  )
}
