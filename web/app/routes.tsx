import { matchRoutes, Navigate, type RouteObject } from 'react-router'
import { support } from '#support/web/register.ts'
import { AuthGuard } from './AuthGuard.tsx'
import { Landing } from './Landing.tsx'
import { Root } from './Root.tsx'
import { SignedInGuard } from './SignedInGuard.tsx'
import * as screens from './screens.ts'

/** Every route of the app. */
export const routes: RouteObject[] = [
  {
    element: <Root />,
    children: [
      {
        path: '/auth',
        element: <AuthGuard preload={path => void preload(path)} />,
        children: [
          { index: true, element: <Navigate to="/auth/sign-in" replace /> },
          at('sign-in', screens.signIn),
          at('sign-up', screens.signUp),
          at('confirm-otp', screens.code),
          at('verification-sent', screens.verificationSent),
          elsewhere('/auth/sign-in'),
        ],
      },
      {
        path: '/teams',
        element: <SignedInGuard />,
        children: [
          at('', screens.signedIn, [
            at('', screens.teamList),
            at('create', screens.createTeam),
            at(':teamId', screens.team, [
              at('', screens.teamHome),
              at('new', screens.newSession),
              at(':sessionId/drive', screens.drive),
              at(':sessionId/message', screens.message),
              at(':sessionId/laps/*', screens.laps),
              at('*', screens.teamPages),
            ]),
            elsewhere('/teams'),
          ]),
        ],
      },
      {
        element: <SignedInGuard />,
        children: [at(support.path, screens.desk), at('/tv/allow', screens.television)],
      },
      at('/tv', screens.television),
      at('/privacy', screens.privacy),
      { path: '/new', element: <Landing /> },
      elsewhere('/teams'),
    ],
  },
]

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

function at(path: string, { Component, load }: screens.Screen, children?: RouteObject[]) {
  return { path, element: <Component />, handle: load, ...(children && { children }) }
}

function elsewhere(to: string): RouteObject {
  return { path: '*', element: <Navigate to={to} replace /> }
}
