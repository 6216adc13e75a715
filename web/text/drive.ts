export const driveText = {
  page: 'Drive',
  screen: 'Drive. Tap anywhere to acknowledge a message',
  noGps: 'No GPS',
  kmh: 'km/h',
  online: 'Online',
  offline: 'Offline',
  copy: 'Copy',
  byPlan: 'by plan',

  loading: 'Loading session',
  newSession: 'Start a new session',
  backToTeam: 'Back to the team',
  elsewhere: 'This session is driven on another device or tab.',
  driveHere: 'Drive here',
  removed: 'You are no longer in this team.',
  notFound: 'This session does not exist.',
  notLoaded: 'This session did not load.',
}
