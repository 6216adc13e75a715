import { part } from './text.ts'

export const teamsText = part('teams', {
  listTitle: 'Select a Team',
  loadingList: 'Loading teams',
  listFailed: 'Your teams did not load',
  noTeams: 'No Teams',
  noTeamsText:
    'You have been invited to any teams yet. You need to have a Team Member to Invite you.',
  add: 'Add Team',
  addSub: 'Create a new team',
  name: 'Team Name',
  nameExample: 'Enter team name',
  nameMissing: 'Enter a team name.',
  create: 'Add',
  created: (name: string) => `Team ${name} created successfully!`,
  createFailed: 'There was an error creating the team. Please try again.',

  page: 'Team',
  loading: 'Loading team',
  failed: 'The team did not load',
  notYours: 'Not your team',
  teams: 'Teams',
  members: 'Members',

  drive: 'Drive',
  startSession: 'Start a new Race Session',
  enterSession: 'Enter your existing Race Session',
  endSession: 'End Session',
  endTitle: 'End this session?',
  endText: (name: string) =>
    `"${name}" leaves the team's list, and nobody can message its driver any more.`,
  keepSession: 'Keep it',
  endFailed: 'Session not ended',

  message: 'Message',
  loadingSessions: 'Loading sessions',
  sessionsFailed: 'The sessions did not load',
  noSessions: 'No Active Sessions',
  noSessionsText: 'Get started by creating a new race session above.',
  columns: { title: 'Session', detail: 'Driver', figures: 'Elapsed' },

  lastSessions: 'Last sessions',

  newPage: 'New Session',
  newTitle: 'New Session',
  newTitleEnd: '(FOR DRIVERS ONLY)',
  newSub: 'Enter a new race session',
  rulesHint:
    'Some series forbid data between the pits and the car. Look into the rules of yours before you start.',
  sessionName: 'Name',
  sessionNameExample: 'Enter session name',
  sessionNameMissing: 'Enter a session name.',
  start: 'Start',
  startFailed: 'Session not started',
  enterOwn: (name: string) => `Enter ${name}`,
  toTeam: 'Go to the team',
})
