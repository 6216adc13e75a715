import { part } from './text.ts'

/** What stands on every page: names of places, loading, failing, being offline. */
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
  outdated: 'This app is out of date. Reload it to go on.',
  reload: 'Reload',
  updated: 'App updated and reloading',
  updateWaits: 'A new version is here',
  updateWaitsText: 'It loads when you leave this screen.',
  error: 'Error',
  success: 'Success',
  brokenTitle: 'This page stopped working',
  brokenText: 'Something in it failed. Try again, or go to your teams.',
  notLoadedTitle: 'This page did not load',
  notLoadedText: 'Check your connection, then try again.',
  unreachableTitle: 'The server did not answer',
  toTeams: 'Go to your teams',
})
