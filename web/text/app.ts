import { part } from './text.ts'

/** Texts of every page: navigation, loading, errors, offline. */
export const appText = part('app', {
  product: 'Pitboard',
  home: 'Pitboard, your teams',
  back: 'Back',
  backTo: 'Back to',
  close: 'Close',
  tryAgain: 'Try again',
  notifications: 'Notifications',
  starting: 'Starting',
  offline: 'You are offline. Reconnecting...',
  outdated: 'This app is out of date. Reload to continue.',
  reload: 'Reload',
  updated: 'App updated and reloading',
  updateWaits: 'A new version is available',
  updateWaitsText: 'It loads when you leave this screen.',
  error: 'Error',
  success: 'Success',
  brokenTitle: 'This page stopped working',
  brokenText: 'Something went wrong. Try again, or go to your teams.',
  notLoadedTitle: 'This page did not load',
  notLoadedText: 'Check your connection, then try again.',
  unreachableTitle: 'The server did not respond',
  toTeams: 'Go to your teams',
})

declare module './text.ts' {
  interface Text {
    readonly app: typeof appText
  }
}
