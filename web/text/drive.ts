import { part } from './text.ts'

export const driveText = part('drive', {
  page: 'Drive',
  screen: 'Drive. Tap anywhere to acknowledge a message',
  noGps: 'No GPS',
  kmh: 'km/h',
  online: 'Online',
  offline: 'Offline',
  copy: 'Copy',
  fullScreenAwake: 'Full screen, stay awake',
  fullScreen: 'Full screen',
  stayAwake: 'Stay awake',
  checkPhone: 'Check this phone',
  testWord: 'Test',

  loading: 'Loading session',
  backToTeam: 'Back to the team',
  tryAgain: 'Try again',
  ended: 'This session has ended.',
  notTheDriver: 'Only the driver of this session can drive it.',
  elsewhere: 'This session is driven on another device or in another tab.',
  driveHere: 'Drive here',
  notFound: 'This session does not exist.',
  notLoaded: 'This session did not load.',
  outdated: 'This app is out of date. Reload to continue.',
  reload: 'Reload',
})

declare module './text.ts' {
  interface Text {
    readonly drive: typeof driveText
  }
}
