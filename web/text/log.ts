import { part } from './text.ts'

export const logText = part('log', {
  lostPosition:
    "One position of your drive could not be stored. The session had ended, the phone's clock was wrong, or its storage was full.",
  lostPositions: (count: string) =>
    `${count} positions of your drive could not be stored. The session had ended, the phone's clock was wrong, or its storage was full.`,
  page: 'Message log',
  /** Sender of a PIT that the plan sent by itself. */
  plan: 'Plan',
  back: 'Messages',
  open: 'Message log',
  heading: 'Messages',
  loading: 'Loading messages',
  failed: 'The messages did not load',
  tryAgain: 'Try again',
  none: 'No messages have been sent yet.',
  earlier: 'Show earlier messages',
  earlierFailed: 'The earlier messages did not load.',
  toTeam: 'Team',
  cleared: 'CLEAR',
  beforeFirst: 'Before the first message',
  tapToShown: (count: string, median: string, p95: string) =>
    `From the tap to the driver's screen: median ${median}, 95 % within ${p95} (${count} shown).`,
  seconds: (count: string) => `${count} s`,
  by: (who: string) => `by ${who}`,
  /** The driver of that moment. */
  to: (driver: string) => `to ${driver}`,
  sent: (time: string) => `Sent ${time}`,
  reached: (time: string) => `On phone ${time}`,
  shown: (time: string) => `On screen ${time}`,
  copied: (time: string) => `Acknowledged ${time}`,
  notDelivered: 'Not delivered',
  notShown: 'Not on screen',
  laps: 'Laps',
  csv: 'Download as CSV',
  expiry: 'Messages expire after',
  expiryHint: 'Messages not shown by then expire. FCY, SC, Code 60, ABORT and CLEAR never expire.',
  expirySeconds: (count: string) => `${count} s`,
  expiryMinutes: (count: string) => `${count} min`,
  expiryFailed: 'Not changed',
  rename: 'Rename session',
  renamed: (name: string) => `The session is now named ${name}.`,
  sessionName: 'Name',
  sessionNameMissing: 'Enter a session name.',
  cancel: 'Cancel',
  save: 'Save',
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
})

declare module './text.ts' {
  interface Text {
    readonly log: typeof logText
  }
}
