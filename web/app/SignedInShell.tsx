import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { Outlet } from 'react-router'
import { clearLogin, setMe, useMe } from '#web/api/login.ts'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'
import { LiveProvider, useChannel } from '#web/live/LiveProvider.tsx'
import { onThisDevice } from './onThisDevice.ts'

// Loaded in parallel without blocking: it shows nothing in the first 1.5 s.
const SignedInNotices = lazy(async () => ({
  default: (await import('./SignedInNotices.tsx').catch(reloadWhenReachable)).SignedInNotices,
}))

/** Wraps the screens of a signed-in user: the live connection and the notices about it. */
export function SignedInShell() {
  const client = useQueryClient()
  const { id } = useMe()
  return (
    <LiveProvider userId={id} onSignedOut={() => clearLogin(client)} {...onThisDevice}>
      <ConnectedScreens />
    </LiveProvider>
  )
}

/** Everything that uses the live connection. */
function ConnectedScreens() {
  useLiveAccount()
  return (
    <>
      <Suspense>
        <SignedInNotices />
      </Suspense>
      <Outlet />
    </>
  )
}

/** Calls that return a team, its name, files, members, or requests to join: only `team-changed` reports their changes. */
const teamCalls = [
  'teams.list',
  'teams.get',
  'joinCodes.list',
  'joinCodes.waiting',
  'files.list',
  'sessions.get',
  'messages.log',
]

/** The `teamCalls` whose query key contains no team: they are fetched again whichever team has changed. */
const callsWithoutTeam = ['teams.list', 'sessions.get', 'messages.log']

/**
 * Keeps the signed-in user up to date, and fetches the shown data of a team again when its name, owner, roles,
 * files or the name of a member change, or may have changed unnoticed: without a connection, also before the first one.
 * Runs before the connection starts, so that it misses no event.
 */
function useLiveAccount() {
  const client = useQueryClient()
  const channel = useChannel()
  useEffect(() => {
    const fetchAgain = (isMeant: (call: string, id: string) => boolean) =>
      void client.invalidateQueries({
        predicate: ({ queryKey: [call, id] }) => isMeant(String(call), String(id)),
      })
    const undo = [
      channel.onConnectionState(() => {
        if (channel.connectionState.status !== 'open') return
        fetchAgain(
          (call, id) =>
            teamCalls.includes(call) &&
            // The snapshot that follows contains the session.
            !(call === 'sessions.get' && channel.isSubscribed(`session:${id}`)),
        )
      }),
      channel.onAccountEvent(event => {
        if (event.t === 'user-changed') setMe(client, event.user)
        else fetchAgain((call, id) => id === event.team || callsWithoutTeam.includes(call))
      }),
    ]
    return () => undo.forEach(each => each())
  }, [client, channel])
}
