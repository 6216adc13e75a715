import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { Outlet } from 'react-router'
import type { Team } from '#contract/teams.ts'
import { clearLogin, setMe, useMe } from '#web/api/login.ts'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'
import { LiveProvider, useChannel } from '#web/live/LiveProvider.tsx'
import { useRoom } from '#web/live/useLive.ts'
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

/**
 * Calls that return the name, files or members of a team, or requests to join, and are not in the snapshot of the user's
 * room: only `team-changed` reports their changes.
 */
const teamCalls = [
  'joinCodes.list',
  'joinCodes.waiting',
  'files.list',
  'sessions.get',
  'messages.log',
]

/** The calls whose query key contains no team: they are fetched again whichever team has changed. */
const callsWithoutTeam = ['teams.list', 'sessions.get', 'messages.log']

/**
 * Keeps the signed-in user up to date, and fetches the shown data of a team again when its name, owner, roles,
 * files or the name of a member change, or may have changed unnoticed: without a connection, also before the first one.
 * Runs before the connection starts, so that it misses no event.
 */
function useLiveAccount() {
  const client = useQueryClient()
  const channel = useChannel()
  useRoom(`user:${channel.userId}`, event => {
    if (event.t === 'snapshot' && event.snapshot.of === 'user')
      replaceTeams(client, event.snapshot.teams)
  })
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

/** Replaces what is known of the user's teams. One that is not among them is requested again, and refused. */
function replaceTeams(client: QueryClient, teams: Team[]) {
  for (const { queryKey } of client.getQueryCache().findAll()) {
    const [call, id] = queryKey
    if (call !== 'teams.list' && call !== 'teams.get') continue
    const known = call === 'teams.list' ? teams : teams.find(team => team.id === id)
    if (!known) void client.invalidateQueries({ queryKey })
    else {
      // A pending response is older.
      void client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, known)
    }
  }
}
