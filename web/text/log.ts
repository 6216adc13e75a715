export const logText = {
  lostPosition:
    "One position of your drive could not be stored. The session had ended, the phone's clock was wrong, or its storage was full.",
  lostPositions: (count: string) =>
    `${count} positions of your drive could not be stored. The session had ended, the phone's clock was wrong, or its storage was full.`,
  page: 'Message log',
  /** Sender of a PIT that the plan sent by itself. */
  plan: 'Plan',
  /** Sender of a CLEAR after the stop that PIT or FUEL had called for. */
  obeyed: 'Obeyed',
  back: 'Messages',
  heading: 'Messages',
  loading: 'Loading messages',
  failed: 'The messages did not load',
  none: 'No messages have been sent yet.',
  earlier: 'Show earlier messages',
  earlierFailed: 'The earlier messages did not load.',
  toTeam: 'Team',
  tapToShown: (count: string, median: string, p95: string) =>
    `On the driver's screen: half within ${median}, 95 % within ${p95} (${count} shown).`,
  seconds: (count: string) => `${count} s`,
  by: (who: string) => `by ${who}`,
  /** The driver of that moment. */
  to: (driver: string) => `to ${driver}`,
  after: (took: string) => `after ${took}`,
  notShown: 'Not shown',
  /** Labels and values of an opened row. */
  who: 'Who',
  sent: 'Sent',
  reached: 'On the phone',
  shown: 'On the glass',
  copied: 'Copied',
  later: (took: string) => `+${took}`,
  carriedOver: 'Carried over',
  fromOtherPhone: 'From the other phone of the car',
  laps: 'Laps',
  csv: 'Download as CSV',
  expiry: 'Messages expire after',
  expiryNever: 'Never',
  expiryHint:
    'A message that the phone has not shown by then is not delivered. FCY, SC, Code 60, ABORT and CLEAR never expire.',
  expirySeconds: (count: string) => `${count} s`,
  expiryMinutes: (count: string) => `${count} min`,
  expiryFailed: 'Not changed',
  rename: 'Rename session',
  renamed: (name: string) => `The session is now named ${name}.`,
  sessionName: 'Name',
  sessionNameMissing: 'Enter a session name.',
  deletePositions: 'Delete positions',
  deleteTitle: 'Delete the positions of this session?',
  deleteText:
    'The positions are deleted for everyone and cannot be restored. The messages are kept.',
  deleteLaps: 'Delete the lap times too',
  keepPositions: 'Keep them',
  deleted: 'Positions deleted',
  deletedText: (count: string) => `${count} in total.`,
  deletedSoFar: (count: string) => `${count} so far. The rest follows within minutes.`,
  deleteFailed: 'Not deleted',
}
