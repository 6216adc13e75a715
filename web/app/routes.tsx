import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { AuthGuard } from './AuthGuard.tsx'
import { BrokenScreen } from './BrokenScreen.tsx'
import { Root } from './Root.tsx'
import { SignedInGuard } from './SignedInGuard.tsx'
import { Starting } from './Starting.tsx'

/** Every address of the app. Each screen is its own file to load. */
const routes: RouteObject[] = [
  {
    Component: Root,
    HydrateFallback: Starting,
    ErrorBoundary: BrokenScreen,
    children: [
      {
        path: '/auth',
        Component: AuthGuard,
        children: [
          { index: true, element: <Navigate to="/auth/sign-in" replace /> },
          { path: 'sign-in', lazy: signIn },
          { path: 'sign-up', lazy: signUp },
          { path: 'confirm-otp', lazy: confirmCode },
          { path: 'verification-sent', lazy: verificationSent },
          { path: '*', element: <Navigate to="/auth/sign-in" replace /> },
        ],
      },
      {
        path: '/teams',
        Component: SignedInGuard,
        children: [
          {
            lazy: signedIn,
            children: [
              { index: true, lazy: teamList },
              { path: 'create', lazy: createTeam },
              {
                path: ':teamId',
                lazy: team,
                children: [
                  { index: true, lazy: teamHome },
                  { path: 'members', lazy: members },
                  { path: 'members/invite', lazy: invite },
                  { path: 'new', lazy: newSession },
                  { path: ':sessionId/drive', lazy: drive },
                  { path: ':sessionId/message', lazy: message },
                ],
              },
              { path: '*', element: <Navigate to="/teams" replace /> },
            ],
          },
        ],
      },
      // Where the external sign-in lands, and any other address.
      { path: '*', element: <Navigate to="/teams" replace /> },
    ],
  },
]

export function newRouter() {
  return createBrowserRouter(routes)
}

async function signIn() {
  return { Component: (await import('#web/features/auth/SignInScreen.tsx')).SignInScreen }
}

async function signUp() {
  return { Component: (await import('#web/features/auth/SignUpScreen.tsx')).SignUpScreen }
}

async function confirmCode() {
  return { Component: (await import('#web/features/auth/CodeScreen.tsx')).CodeScreen }
}

async function verificationSent() {
  const { VerificationSentScreen } = await import('#web/features/auth/VerificationSentScreen.tsx')
  return { Component: VerificationSentScreen }
}

async function signedIn() {
  return { Component: (await import('./SignedInShell.tsx')).SignedInShell }
}

async function teamList() {
  return { Component: (await import('./TeamList.tsx')).TeamList }
}

async function createTeam() {
  return { Component: (await import('./CreateTeam.tsx')).CreateTeam }
}

async function team() {
  return { Component: (await import('./TeamShell.tsx')).TeamShell }
}

async function teamHome() {
  return { Component: (await import('#web/features/teams/TeamHomeScreen.tsx')).TeamHomeScreen }
}

async function members() {
  return { Component: (await import('#web/features/members/MembersScreen.tsx')).MembersScreen }
}

async function invite() {
  return { Component: (await import('#web/features/members/InviteScreen.tsx')).InviteScreen }
}

async function newSession() {
  return { Component: (await import('#web/features/teams/NewSessionScreen.tsx')).NewSessionScreen }
}

async function drive() {
  return { Component: (await import('#web/features/drive/DriveScreen.tsx')).DriveScreen }
}

async function message() {
  return { Component: (await import('#web/features/message/MessageScreen.tsx')).MessageScreen }
}
