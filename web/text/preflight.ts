import { part } from './text.ts'

/** Before the start, on the drive screen. */
export const preflightText = part('preflight', {
  // The way out at standstill.
  leave: 'Leave',
  leaveTitle: 'Stop driving?',
  leaveText: 'Your team will see you offline.',
  keepDriving: 'Keep driving',

  title: 'Before you start',
  ready: 'Ready',
  notReady: 'Not ready yet',
  inTeam: (session: string, team: string) => `${session}, ${team}`,
  drive: 'Drive',
  checkAgain: 'Check again',
  testFlash: 'Test flash',
  headsetButton: 'Headset button',

  names: {
    location: 'Location',
    awake: 'Screen',
    sound: 'Sound',
    button: 'Headset',
    line: 'Connection',
    storage: 'Storage',
    battery: 'Battery',
    test: 'Test flash',
  },
  lights: { good: 'Good', bad: 'Wrong', waiting: 'Waiting', unknown: 'Unknown' },

  /** How each thing is, and what to do where it is not well. */
  located: (metres: string) => `Within ${metres} m`,
  locating: 'Waiting for a position. Go where the phone sees the sky.',
  inaccurate: 'Worse than 300 m. Go where the phone sees the sky.',
  denied: 'Not allowed. Allow the location for this site in the settings of the browser.',
  noReceiver: 'This browser gives no location. Use another phone or browser.',
  awake: 'Stays awake',
  sleepy: 'It may go dark. Switch the battery saver off, then check again.',
  sleepyInstalled:
    'It may go dark. Open Pitboard in Safari, not from the Home Screen, or update to iOS 18.4.',
  sleepyOldIos: 'It may go dark. Update iOS, or set the automatic lock to never.',
  alwaysSleepy: 'It may go dark. Set the automatic lock of the phone to never.',
  soundAsked: 'Looking',
  loud: 'On',
  muted: 'Off',
  soundBlocked: 'Blocked. Tap Check again.',
  noSound: 'This browser makes no sound.',
  buttonOff: 'Off. Switched on, it may stop the radio or navigation of this phone.',
  buttonAsked: 'Looking',
  buttonReady: 'Press it once to try it.',
  buttonWorks: 'Works',
  buttonRefused: 'Not heard. Leave the silent mode, then check again.',
  noButtons: 'This browser hears no such button.',
  connected: (took: string) => `Round trip ${took} ms`,
  slowLine: (took: string) =>
    `Round trip ${took} ms: messages come late. Look at the network of the phone.`,
  noLine: 'No connection to the server. Look at the network of the phone.',
  keepsSafely: 'Keeps what you drive where there is no network',
  keeps: 'Keeps what you drive, unless the phone runs full',
  keepsNothing: 'Keeps nothing. Leave the private window.',
  looking: 'Looking',
  charged: (percent: string) => percent,
  batteryLow: (percent: string) => `${percent}. Connect a charger.`,
  batteryUnknown: 'This browser does not tell',
  tested: (took: string) => `Seen by the team's screens, ${took} ms there and back`,
  testLost:
    "No screen of the team showed it within 5 s. Somebody has to open this session's message screen.",
  untested: 'Flashes here and tells the team',
})
