export const teamsText = {
  messages: 'Messages',
  listTitle: 'Select a Team',
  loadingList: 'Loading teams',
  listFailed: 'Your teams did not load',
  noTeams: 'No Teams',
  noTeamsText:
    'You have been invited to any teams yet. You need to have a Team Member to Invite you.',
  invitations: 'Invitations',
  invitedBy: (name: string) => `${name} invited you`,
  invitedByMember: 'A member invited you',
  accept: 'Accept',
  acceptTeam: (team: string) => `Accept the invitation to ${team}`,
  decline: 'Decline',
  declineTeam: (team: string) => `Decline the invitation to ${team}`,
  accepted: (team: string) => `You are in ${team} now.`,
  declined: (team: string) => `You declined the invitation to ${team}.`,
  answerFailed: 'Invitation not answered',
  invitationsFailed: 'Your invitations did not load',
  deletedTeams: 'Deleted teams',
  restorableUntil: (time: string) => `Removed for good on ${time}`,
  restore: 'Restore',
  restoreTeam: (team: string) => `Restore ${team}`,
  restored: (team: string) => `${team} is back, with its members and sessions.`,
  restoreFailed: 'Team not restored',
  add: 'Add Team',
  addText: 'Your own. You invite the others.',
  waitingFor: (email: string) => `An invitation to ${email} appears here by itself.`,
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
  noLongerIn: 'You are no longer in this team.',
  teams: 'Teams',
  members: 'Members',

  drive: 'Drive',
  viewOnly: 'You watch this team. Its owner can make you a member who drives.',
  startSession: 'Start a new Race Session',
  enterSession: 'Enter your existing Race Session',
  endSession: 'End Session',
  endTitle: 'End this session?',
  endText: (name: string) =>
    `"${name}" is removed from the team's list, and nobody can message its driver any more.`,
  endSilentText:
    'If its phone still drives without a network, what it records from now on is lost.',
  keepSession: 'Keep it',
  endFailed: 'Session not ended',

  pitWall: 'At the pit wall',
  loadingPitWall: 'Loading who is at the pit wall',
  nobodyElse: 'Nobody else has this team open.',
  pitWallOffline: 'Offline: it is unknown who has this team open.',

  message: 'Message',
  loadingSessions: 'Loading sessions',
  sessionsFailed: 'The sessions did not load',
  noSessions: 'No Active Sessions',
  noSessionsText: 'Get started by creating a new race session above.',
  imported: 'imported',
  driverLeft: 'no longer in this team',
  silentFor: (minutes: number) =>
    minutes < 120
      ? `no contact for ${minutes} min`
      : `no contact for ${Math.floor(minutes / 60)} h`,
  endNamed: (name: string) => `End Session ${name}`,
  columns: { title: 'Session', detail: 'Driver', figures: 'Elapsed' },

  lastSessions: 'Last sessions',
  races: 'Races',
  race: 'Race',
  raceOn: (day: string) => `Race, ${day}`,
  raceStarted: (time: string) => `Race, started ${time}`,
  raceOver: 'Race, over',
  result: 'Result and history',
  overNamed: (race: string) => `${race} is over`,
  resultShort: 'Result',
  loadingRaces: 'Loading the races',
  racesFailed: 'The races did not load',
  starts: 'Starts',
  startsIn: 'In',
  startsInDays: (days: string) => (days === '1' ? '1 day' : `${days} days`),
  startUnknown: 'Not known yet',
  firstInTheCars: 'First in the cars',
  nextStop: 'Next stop',
  stintOver: (time: string) => `stint\u00a0${time}`,
  messagesTo: (car: string) => `Messages to car ${car}`,
  wallShort: 'Wall',
  planShort: 'Plan',
  startShort: 'Start',
  clockShort: 'Clock',
  prepare: 'Prepare a race',
  prepareSub: 'Length, rules, cars and drivers',
  wall: 'Pit wall',
  carsInSession: (count: number) =>
    count === 0
      ? 'No car in a session'
      : count === 1
        ? '1 car in a session'
        : `${count} cars in a session`,
  televisions: 'Televisions',
  allSessions: 'All sessions',
  more: 'More of this team',
  circuits: 'Circuits',
  words: 'Own messages',
  roster: 'Cars and drivers',
  noSessionsYet: 'No session has been started yet.',
  search: 'Search',
  searchExample: 'Name, driver, car or circuit',
  searchFrom: 'From',
  searchTo: 'To',
  searchFailed: 'The list did not update.',
  noSessionFound: 'No session matches. Check the words and the days.',
  laps: (count: number, number: string) => (count === 1 ? '1 lap' : `${number} laps`),
  lapsOfPhone: (laps: string) => `${laps} by this phone`,
  bestLap: 'Best lap',
  links: {
    laps: 'Laps',
    messages: 'Messages',
    log: 'Message log',
    map: 'Map',
    replay: 'Replay',
    of: (link: string, session: string) => `${link}, ${session}`,
  },
  active: 'Active',
  earlierSessions: 'Show earlier sessions',
  earlierSessionsFailed: 'The earlier sessions did not load.',

  newPage: 'New Session',
  newTitle: 'New Session',
  newTitleEnd: '(FOR DRIVERS ONLY)',
  newSub: 'Enter a new race session',
  rulesHint:
    'Some series forbid data transmission between the pits and the car. Check the rules of your series before you start.',
  dataLinkOff: 'Data link off',
  dataLinkOffHint:
    'No position, speed or message goes either way. Clocks, stints and fuel can still be entered. It can be changed later.',
  /** The choices for a new session, in the line that folds them. */
  chosen: (choice: {
    car: string | null
    driver: string | null
    keepsDriver: boolean
    noLapTiming: boolean
    dataLinkOff: boolean
    /** True if the car is chosen above the line. */
    asksCar: boolean
  }) => {
    const driver = choice.driver ?? (choice.keepsDriver ? 'same driver' : 'you drive')
    return [
      ...(choice.asksCar ? [] : [choice.car === null ? 'No car' : `Car ${choice.car}`]),
      choice.asksCar ? `${driver.charAt(0).toUpperCase()}${driver.slice(1)}` : driver,
      choice.noLapTiming ? 'no lap timing' : 'laps timed',
      choice.dataLinkOff ? 'data link off' : 'data link on',
    ].join(', ')
  },
  noLapTiming: 'No lap timing',
  noLapTimingHint: 'Some insurers and organisers of track days forbid it. It can be changed later.',
  privacyHint:
    'While you drive, your team sees your position and speed. They are stored, and you can delete them at any time.',
  privacy: 'What is stored',
  sessionName: 'Name',
  proposedName: (car: string, raceOrDay: string) => `Car ${car}, ${raceOrDay}`,
  heldInRace: (names: { phone: string; over: string; due: string }) =>
    `${names.phone} keeps this car in ${names.over}, which is over. To join ${names.due}, end its session first, or start once it has had no contact for 5 minutes.`,
  sessionNameExample: 'Enter session name',
  sessionNameMissing: 'Enter a session name.',
  start: 'Start',
  startFailed: 'Session not started',
  enterOwn: (name: string) => `Enter ${name}`,
  toTeam: 'Go to the team',
}
