import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { clearLogin } from '#web/api/login/login.ts'
import { AllowScreen } from '#web/features/televisions/AllowScreen.tsx'
import { TelevisionScreen } from '#web/features/televisions/TelevisionScreen.tsx'
import { BigWall } from '#web/features/wall/BigWall.tsx'
import { LiveProvider } from '#web/live/LiveProvider.tsx'
import { ConnectionNotice } from './shell/ConnectionNotice.tsx'
import { onThisDevice } from './shell/SignedInShell.tsx'

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
