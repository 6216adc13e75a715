import { part } from './text.ts'

export const logText = part('log', {
  page: 'Message log',
  back: 'Messages',
  open: 'Message log',
  heading: 'Messages',
  loading: 'Loading messages',
  failed: 'The messages did not load',
  tryAgain: 'Try again',
  none: 'No message was sent yet.',
  newestOnly: (count: string) =>
    `These are the newest ${count} messages. The file has all of them.`,
  toTeam: 'Team',
  cleared: 'CLEAR',
  tapToShown: (count: string, median: string, p95: string) =>
    `From the tap to the driver's screen: median ${median}, 95 % within ${p95} (${count} shown).`,
  seconds: (count: string) => `${count} s`,
  by: (who: string) => `by ${who}`,
  sent: (time: string) => `Sent ${time}`,
  reached: (time: string) => `On phone ${time}`,
  shown: (time: string) => `On screen ${time}`,
  copied: (time: string) => `Acknowledged ${time}`,
  notDelivered: 'Not delivered',
  notShown: 'Not on screen',
  csv: 'Download as CSV',
  expiry: 'Messages expire after',
  expiryHint:
    'What was not on the driver’s screen by then is not shown any more. FCY, SC and CLEAR never expire.',
  expirySeconds: (count: string) => `${count} s`,
  expiryMinutes: (count: string) => `${count} min`,
  expiryFailed: 'Not changed',
  deletePositions: 'Delete positions',
  deleteTitle: 'Delete the positions of this session?',
  deleteText:
    'Where you drove is deleted for everyone, and cannot be brought back. The messages stay.',
  keepPositions: 'Keep them',
  deleted: 'Positions deleted',
  deletedText: (count: string) => `${count} were stored.`,
  deleteFailed: 'Not deleted',
})
