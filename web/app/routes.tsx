import { type ComponentType, useEffect } from 'react'
import { matchRoutes, type RouteObject, useSearchParams } from 'react-router'
import { support } from '#support/web/register.ts'
import { recordSignIn } from '#web/api/justSignedIn.ts'
import { Redirect } from '#web/ui/Redirect.tsx'
import { AuthGuard } from './AuthGuard.tsx'
import { safeNext } from './nextPath.ts'
import { Root } from './Root.tsx'
import { SignedInGuard } from './SignedInGuard.tsx'
import { screen } from './screen.ts'

/** Every route of the app. The code of each screen is loaded when it is opened. */
export const routes: RouteObject[] = [
  {
    element: <Root />,
    children: [
      {
        path: '/auth',
        element: <AuthGuard preload={path => void preload(path)} />,
        children: [
          { index: true, element: <Redirect to="/auth/sign-in" /> },
          at('sign-in', () => import('#web/account/SignInScreen.tsx'), 'SignInScreen'),
          at('sign-up', () => import('#web/account/SignUpScreen.tsx'), 'SignUpScreen'),
          at('confirm-otp', () => import('#web/account/CodeScreen.tsx'), 'CodeScreen'),
          at(
            'verification-sent',
            () => import('#web/account/VerificationSentScreen.tsx'),
            'VerificationSentScreen',
          ),
          elsewhere('/auth/sign-in'),
        ],
      },
      {
        path: '/teams',
        element: <SignedInGuard />,
        children: [
          at('', () => import('./SignedInShell.tsx'), 'SignedInShell', [
            at('', () => import('#web/teams/TeamListScreen.tsx'), 'TeamListScreen'),
            at('create', () => import('#web/teams/CreateTeamScreen.tsx'), 'CreateTeamScreen'),
            at(':teamId', () => import('./TeamShell.tsx'), 'TeamShell', ofTeam()),
            elsewhere('/teams'),
          ]),
        ],
      },
      {
        element: <SignedInGuard />,
        children: [at(support.path, support.load, 'DeskRoutes')],
      },
      at('/tv/*', () => import('./Television.tsx'), 'Television'),
      at('/join/:code?', () => import('#web/teams/JoinScreen.tsx'), 'JoinScreen'),
      at(
        '/join/invitation/:invitationId',
        () => import('#web/teams/InvitationScreen.tsx'),
        'InvitationScreen',
      ),
      at('/privacy', () => import('#web/account/PrivacyScreen.tsx'), 'PrivacyScreen'),
      at('/check', () => import('#web/drive/CheckScreen.tsx'), 'CheckScreen'),
      { path: '/new', element: <Landing /> },
      elsewhere('/teams'),
    ],
  },
]

function ofTeam(): RouteObject[] {
  return [
    at('', () => import('#web/teams/TeamHomeScreen.tsx'), 'TeamHomeScreen'),
    at('new', () => import('#web/teams/NewSessionScreen.tsx'), 'NewSessionScreen'),
    at('members', () => import('#web/teams/MembersScreen.tsx'), 'MembersScreen'),
    at('members/invite', () => import('#web/teams/InviteScreen.tsx'), 'InviteScreen'),
    at('members/code', () => import('#web/teams/JoinCodeScreen.tsx'), 'JoinCodeScreen'),
    at('history', () => import('#web/teams/HistoryScreen.tsx'), 'HistoryScreen'),
    at('sessions', () => import('#web/teams/AllSessionsScreen.tsx'), 'AllSessionsScreen'),
    at('cars', () => import('#web/teams/RosterScreen.tsx'), 'RosterScreen'),
    at('races', () => import('#web/race/plan/RacesScreen.tsx'), 'RacesScreen'),
    at('races/:raceId', () => import('#web/race/plan/RaceScreen.tsx'), 'RaceScreen'),
    at('races/:raceId/timing', () => import('#web/timing/TimingScreen.tsx'), 'TimingScreen'),
    at('words', () => import('#web/teams/WordsScreen.tsx'), 'WordsScreen'),
    at('circuits/:circuitId?', () => import('#web/circuits/CircuitsScreen.tsx'), 'CircuitsScreen'),
    at('wall', () => import('#web/wall/WallScreen.tsx'), 'WallScreen'),
    at('televisions', () => import('#web/wall/TelevisionsScreen.tsx'), 'TelevisionsScreen'),
    at(':sessionId/drive', () => import('#web/drive/DriveScreen.tsx'), 'DriveScreen'),
    at(':sessionId/message', () => import('#web/message/MessageScreen.tsx'), 'MessageScreen'),
    at(':sessionId/log', () => import('#web/message/LogScreen.tsx'), 'LogScreen'),
    at(':sessionId/laps', () => import('#web/laps/LapsScreen.tsx'), 'LapsScreen'),
    at(':sessionId/laps/replay', () => import('#web/replay/ReplayScreen.tsx'), 'ReplayScreen'),
    at(':sessionId/laps/stints', () => import('#web/race/StintsScreen.tsx'), 'StintsScreen'),
    elsewhere('/teams'),
  ]
}

/** Loads the code of all nested routes of a path in parallel. Never rejects. */
export async function preload(pathname: string): Promise<void> {
  const matches = matchRoutes(routes, pathname) ?? []
  await Promise.all(
    matches.map(({ route }) => {
      const load: unknown = route.handle
      return typeof load === 'function' ? load() : undefined
    }),
  )
}

function at<Name extends string>(
  path: string,
  code: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  children?: RouteObject[],
) {
  const { Component, load } = screen(async () => (await code())[name])
  return { path, element: <Component />, handle: load, ...(children && { children }) }
}

function elsewhere(to: string): RouteObject {
  return { path: '*', element: <Redirect to={to} /> }
}

/**
 * Landing page of the external sign-in: redirects to the screen the person asked for, or to the team
 * list.
 */
function Landing() {
  const [search] = useSearchParams()
  useEffect(recordSignIn, [])
  return <Redirect to={safeNext(search.get('next'), location.origin) ?? '/teams'} />
}
