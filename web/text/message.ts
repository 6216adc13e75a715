import type { MessageType } from '#contract/messages.ts'
import { worstAccuracyM } from '#contract/shared/fix.ts'
import type { KnownType } from '#contract/shared/messageTypes.ts'

/** Labels of the plates: the board's words in upper case. */
const plates: Record<string, string> & Record<KnownType, string> = {
  Easy: 'EASY',
  Go: 'GO',
  Push: 'PUSH',
  Pit: 'PIT',
  Fuel: 'FUEL',
  FCY: 'FCY',
  SC: 'SC',
  'Code 60': 'CODE 60',
  Abort: 'ABORT',
}

export const messageText = {
  page: 'Message',
  noSession: 'This session does not exist, or you are not in its team.',
  backToTeam: 'Back to the team',
  driverWithoutName: 'Driver',
  loadingDriver: 'Loading driver',
  loadFailed: 'This session did not load',

  /** The session is in a race that is over. */
  otherRace: (running: string) => `Race over. ${running} needs a new session`,

  view: 'View',
  message: 'Message',
  map: 'Map',
  /** The phones that get messages, if that is not the one of the opened session. */
  on: (phones: readonly string[]) => `On ${phones.join(' and ')}`,
  carriedOver: (receipt: string) => `${receipt}, carried over`,
  byPlan: (receipt: string) => `${receipt}, by plan`,
  driverOnline: 'Driver online',
  driverOffline: 'Driver offline',

  /** For screen readers, before the names. */
  watching: 'Also watching:',
  watchers: (names: readonly string[]) =>
    names.length === 1 ? names.join() : `${names.length}: ${names.join(', ')}`,

  board: 'Current message',
  noMessage: 'No message',
  kmh: 'km/h',
  lastContact: (age: string) => `Last contact ${age} ago`,
  noContact: 'No contact yet',
  seconds: (count: string) => `${count} s`,
  minutes: (count: string) => `${count} min`,
  hours: (count: string) => `${count} h`,

  /** A message that has left the driver's screen, and what is there instead. */
  obeyed: 'obeyed',
  onGlass: (what: string) => `On the glass: ${what}`,
  isOnGlass: 'On the glass',
  notOnGlass: 'Not on the glass yet',
  glass: { laps: 'laps', stop: 'pit stop' },

  pad: 'Messages',
  plate: (type: MessageType | null) => (type === null ? 'CLEAR' : (plates[type] ?? type)),

  /** For screen readers: the word and its delivery state. */
  announcement: (word: string, receipt: string) => `${word}: ${receipt}`,
  teamInformation: {
    short: 'team info',
    full: 'From your team, not from race control',
  },

  sending: 'Sending...',
  sent: 'Sent, not shown',
  onPhone: 'On the phone, not shown',
  shown: (took: string) => `Shown after ${took}`,
  uncopied: 'Shown, not copied',
  copied: (took: string) => `Copied after ${took}`,
  ago: (age: string) => `${age} ago`,
  /** On the plate of a letter that must be pressed twice. */
  again: (letter: string) => `${letter} again`,
  notSent: (plate: string) => `${plate} was not sent.`,
  maybeNotSent: (plate: string) =>
    `${plate} may not have been sent. A newer message is on the board.`,
  maybeNotSentTo: (plate: string, driver: string) =>
    `${plate} to ${driver} may not have been sent.`,
  notDelivered: 'Not delivered',
  sendAgain: 'Send again',
  /** Before its number, for screen readers. */
  car: 'Car ',
  /** The way to the rest of the session, below the board. */
  nav: 'Session',
  laps: 'Laps',
  log: 'Log',
  driver: 'Driver',
  changeDriver: 'Change driver',
  test: 'Test flash',
  testText: "Started from the driver's screen.",

  /** State of the phone in the car; an age may follow. */
  phone: {
    hidden: 'Screen off or another app',
    left: 'Driver left the drive screen',
    'no-network': 'Phone has no network',
    'gps-denied': 'Location not allowed',
    'gps-missing': 'Phone provides no location',
    'gps-lost': 'No GPS',
    'gps-inaccurate': `GPS worse than ${worstAccuracyM} m`,
    battery: (percent: string) => `Phone battery ${percent}`,
    approximate: 'Phone gives an approximate location',
    awake: 'Phone may go dark',
    power: 'Phone saves power',
    clock: "Phone's clock is wrong",
    storage: "Phone's storage is full",
    sound: "Phone's sound is locked",
  },
  sayTo: (name: string) => `Say to ${name}:`,
  sayToDriver: 'Say to the driver:',
  /** The repair of a problem of the phone, for the driver. */
  say: {
    hidden: 'Unlock the phone and open Pitboard.',
    left: 'Open the session again and tap Drive.',
    'no-network': "Turn on mobile data, or join the paddock's Wi-Fi.",
    'gps-denied': 'With the car stopped, tap the screen, then Checks, Ask for location, Allow.',
    'gps-missing': 'Open the address in Chrome or Safari, or take another phone.',
    'gps-lost': 'Put the phone where it sees the sky: windscreen or roof.',
    'gps-inaccurate': 'Put the phone where it sees the sky: windscreen or roof.',
    battery: 'Connect the charger.',
    approximate:
      "Tap the icon left of the address, or the phone's settings for Pitboard: Location, precise.",
    awake: "In the phone's display settings, set the auto-lock to never.",
    power: 'In Settings, Battery, turn off Low Power Mode or the battery saver.',
    clock: 'In Settings, Date & time, turn on Set automatically.',
    storage: 'Delete a video or an app.',
    sound: 'Turn off silent mode, then tap the screen.',
  },

  ended: 'This session has ended.',
  viewOnly: 'You can only watch. The owner of the team can let you send messages.',
}
