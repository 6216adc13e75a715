import { worstAccuracyM } from '#contract/shared/fix.ts'

/** The checks on the drive screen, before the start. */
export const preflightText = {
  // Leaving the screen, offered at standstill.
  leave: 'Leave',
  leaveTitle: 'Stop driving?',
  leaveText: 'Your team will see you as offline.',
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
    voice: 'Voice',
    connection: 'Connection',
    storage: 'Storage',
    battery: 'Battery',
    test: 'Test flash',
  },
  lights: { good: 'Good', bad: 'Wrong', waiting: 'Waiting', unknown: 'Unknown' },

  /** State of each check, and what to do if it fails. */
  located: (metres: string) => `Within ${metres} m`,
  locating: 'Waiting for a position. The phone needs a clear view of the sky.',
  inaccurate: `Worse than ${worstAccuracyM} m. The phone needs a clear view of the sky.`,
  denied: 'Not allowed. Allow location access for this site in the browser settings.',
  noReceiver: 'This browser provides no location. Use another phone or browser.',
  awake: 'Stays awake',
  goesDark: 'It may go dark. Turn off the battery saver, then check again.',
  goesDarkInstalled:
    'It may go dark. Open Pitboard in Safari, not from the Home Screen, or update to iOS 18.4.',
  goesDarkOldIos: 'It may go dark. Update iOS, or set Auto-Lock to Never.',
  alwaysGoesDark: "It may go dark. Set the phone's auto-lock to never.",
  soundPending: 'Checking…',
  loud: 'On',
  muted: 'Off',
  soundBlocked: 'Blocked. Tap Check again.',
  noSound: 'This browser cannot play sounds.',
  buttonOff: "Off. When on, it may interrupt this phone's radio or navigation.",
  buttonPending: 'Checking…',
  buttonReady: 'Press it once to test it.',
  buttonWorks: 'Works',
  buttonRefused: 'No sound. Turn off silent mode, then check again.',
  noButtons: 'This browser does not support headset buttons.',
  voicePending: 'Checking…',
  voiceWorks: 'Reads messages and lap times aloud',
  voiceSilent:
    'This phone does not speak. Install a voice in its settings and check again, or turn the voice off.',
  voiceName: 'Voice',
  voiceIn: (name: string, language: string) => `${name} (${language})`,
  connected: (took: string) => `Round trip ${took} ms`,
  slowConnection: (took: string) =>
    `Round trip ${took} ms: messages arrive late. Check the phone's network connection.`,
  noConnection: "No connection to the server. Check the phone's network connection.",
  storesSafely: 'Stores your positions while there is no network',
  stores: 'Stores your positions while there is no network (until storage is full)',
  storesNothing: 'Cannot store positions. Leave the private window.',
  storagePending: 'Checking…',
  charged: (percent: string) => percent,
  batteryLow: (percent: string) => `${percent}. Connect a charger.`,
  batteryUnknown: 'This browser does not report it.',
  tested: (took: string) => `Shown on the team's screen, ${took} ms round trip`,
  testLost:
    "No team screen showed it within 5 s. Somebody has to open this session's message screen.",
  untested: 'Flashes here and notifies the team',
}
