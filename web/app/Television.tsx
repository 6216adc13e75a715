import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { clearLogin } from '#web/api/login.ts'
import { LiveProvider } from '#web/live/LiveProvider.tsx'
import { AllowScreen } from '#web/wall/AllowScreen.tsx'
import { BigWall } from '#web/wall/BigWall.tsx'
import { TelevisionScreen } from '#web/wall/TelevisionScreen.tsx'
import { ConnectionNotice } from './ConnectionNotice.tsx'
import { onThisDevice } from './SignedInShell.tsx'

/**
 * `/tv`, and `/tv/allow` for the member who enters its code. A television has a live connection, but none of the
 * notices for people.
 */
export function Television() {
  const client = useQueryClient()
  const { pathname } = useLocation()
  if (pathname.endsWith('/allow')) return <AllowScreen />
  return (
    <TelevisionScreen
      renderWall={({ userId, ...team }) => (
        <LiveProvider userId={userId} onSignedOut={() => clearLogin(client)} {...onThisDevice}>
          <ConnectionNotice />
          <BigWall {...team} />
        </LiveProvider>
      )}
    />
  )
}
