import { type ComponentType, createElement, lazy, useState } from 'react'
import { support } from '#support/web/register.ts'

/** A lazily loaded screen; `load` preloads its code and never rejects. */
export interface Screen {
  readonly Component: ComponentType
  readonly load: () => Promise<void>
}

export const signIn = screen(
  async () => (await import('#web/account/SignInScreen.tsx')).SignInScreen,
)
export const signUp = screen(
  async () => (await import('#web/account/SignUpScreen.tsx')).SignUpScreen,
)
export const code = screen(async () => (await import('#web/account/CodeScreen.tsx')).CodeScreen)
export const verificationSent = screen(
  async () => (await import('#web/account/VerificationSentScreen.tsx')).VerificationSentScreen,
)

export const signedIn = screen(async () => (await import('./SignedInShell.tsx')).SignedInShell)
export const teamList = screen(async () => (await import('./TeamList.tsx')).TeamList)
export const createTeam = screen(async () => (await import('./CreateTeam.tsx')).CreateTeam)
export const team = screen(async () => (await import('./TeamShell.tsx')).TeamShell)
export const teamHome = screen(
  async () => (await import('#web/teams/TeamHomeScreen.tsx')).TeamHomeScreen,
)
export const newSession = screen(
  async () => (await import('#web/teams/NewSessionScreen.tsx')).NewSessionScreen,
)
export const teamPages = screen(async () => (await import('./TeamPages.tsx')).TeamPages)
export const television = screen(async () => (await import('./TeamPages.tsx')).Television)
export const drive = screen(async () => (await import('#web/drive/DriveScreen.tsx')).DriveScreen)
export const message = screen(async () => (await import('./Message.tsx')).Message)
export const laps = screen(async () => (await import('./Laps.tsx')).Laps)

export const privacy = screen(
  async () => (await import('#web/account/PrivacyScreen.tsx')).PrivacyScreen,
)

export const desk = screen(support.load)

function screen(load: () => Promise<ComponentType>): Screen {
  let loading: Promise<{ default: ComponentType }> | undefined
  let Loaded: ComponentType | undefined
  function start() {
    loading ??= load().then(Component => {
      Loaded = Component
      return { default: Component }
    })
    return loading
  }
  const Lazy = lazy(start)
  return {
    // `lazy` shows the fallback once even if the code is there, and React shows the screen 300 ms later.
    Component: function Screen() {
      const [Current] = useState(() => Loaded ?? Lazy)
      return createElement(Current)
    },
    // Rendering the screen throws the same error, and the error boundary handles it.
    load: () =>
      start().then(
        () => undefined,
        () => undefined,
      ),
  }
}
