import type { MessageType } from '#contract/messages.ts'

/** What the plates say: the board's word, upper-cased as on the plate. */
const plates: Record<MessageType, string> = {
  Easy: 'EASY',
  Go: 'GO',
  Push: 'PUSH',
  Pit: 'PIT',
  Fuel: 'FUEL',
  FCY: 'FCY',
  SC: 'SC',
  Abort: 'ABORT',
}

export const messageText = {
  page: 'Message',
  backToTeam: 'Back to the team',
  driverWithoutName: 'Driver',
  loadingDriver: 'Loading driver',
  loadFailed: 'This session did not load',
  tryAgain: 'Try again',

  view: 'View',
  message: 'Message',
  map: 'Map',
  driverOnline: 'Driver online',
  driverOffline: 'Driver offline',

  board: 'Current message',
  noMessage: 'No message',
  kmh: 'km/h',
  lastContact: (age: string) => `Last contact ${age} ago`,
  noContact: 'No contact yet',

  pad: 'Messages',
  plate: (type: MessageType | null) => (type === null ? 'CLEAR' : plates[type]),

  sending: 'Sending...',
  sent: 'Sent',
  onPhone: "On driver's phone, not on screen",
  onScreen: (took: string) => `On driver's screen ${took}`,
  acknowledged: 'Acknowledged by driver',
  notSent: (plate: string) => `${plate} was not sent.`,

  ended: 'This session has ended.',
} as const
