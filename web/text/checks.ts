/** The repair of a failed check: one sentence on the fault, and at most three steps. */
export interface Repair {
  readonly title: string
  readonly steps: readonly string[]
}

const comeBack = 'Come back to this page'

/** The checks of a phone, before a stint and on the page for it. */
export const checksText = {
  testWord: 'Test',
  names: {
    page: 'Secure page',
    network: 'Local network',
    location: 'Location',
    awake: 'Screen stays on',
    power: 'Power saving',
    clock: 'Clock',
    storage: 'Storage',
    connection: 'Team',
    test: 'Test flash',
    sound: 'Sound',
    button: 'Headset',
    voice: 'Voice',
    installed: 'Installed',
    notifications: 'Notifications',
    battery: 'Power',
  },
  lights: {
    good: 'Good',
    bad: 'To do',
    waiting: 'Waiting',
    note: 'Note',
    unknown: 'Not measured',
  },

  /** Precedes the text that the message screen shows about this phone. */
  crewSees: 'While you drive, your crew sees:',
  crewSeesNothing: 'no problem of this phone',

  // The finding of a check, in a few words.
  found: {
    secure: 'https',
    insecure: 'Not secure',
    untrusted: 'Not trusted',
    notShown: 'Check by eye',
    checking: 'Checking…',
    networkAllowed: 'Allowed',
    networkBlocked: 'Blocked',
    networkUnreached: 'Not reached',
    located: (metres: string) => `±${metres} m`,
    locating: 'No satellites yet',
    inaccurate: (metres: string) => `±${metres} m`,
    noReceiver: 'None',
    approximate: (kilometres: string) => `±${kilometres} km`,
    approximateIos: (kilometres: string) => `±${kilometres} km`,
    askLocation: 'Not allowed',
    deniedSite: 'Not allowed',
    deniedSiteIos: 'Not allowed',
    deniedApp: 'Not allowed',
    locationOff: 'Off',
    awake: 'Yes',
    awakeLater: 'With a tap',
    goesDark: 'Refused',
    goesDarkInstalled: 'No',
    goesDarkOldIos: 'No',
    alwaysGoesDark: 'No',
    savesPower: 'On',
    fullPower: 'Off',
    clockRight: (seconds: string) => `${seconds} s off`,
    clockWrong: (time: string) => `${time} wrong`,
    storesSafely: 'Kept',
    stores: 'May be cleared',
    storageFull: 'Full',
    storesNothing: 'None',
    connected: (seconds: string) => `${seconds} s`,
    slowConnection: (seconds: string) => `${seconds} s`,
    noConnection: 'No connection',
    tested: (seconds: string) => `Shown after ${seconds} s`,
    testLost: 'Not shown in 5 s',
    untested: 'Not tried',
    soundLater: 'With a tap',
    loud: 'On',
    muted: 'Off',
    soundBlocked: 'Locked',
    noSound: 'Not supported',
    buttonOff: 'Off',
    buttonReady: 'Press it once',
    buttonWorks: 'Works',
    buttonRefused: 'No sound',
    voiceOff: 'Off',
    voiceWorks: 'On',
    voiceSilent: 'Silent',
    installed: 'Yes',
    notInstalled: 'No',
    notified: 'Allowed',
    notNotified: 'Not asked',
    notificationsBlocked: 'Blocked',
    charged: (percent: string) => `${percent}, charging`,
    unplugged: (percent: string) => `${percent}, no cable`,
    batteryLow: (percent: string) => `${percent}, no cable`,
  },

  repairs: {
    insecure: {
      title: 'This page is not secure',
      steps: [
        'Open the address that begins with https',
        "In a paddock, the server's screen shows it",
      ],
    },
    untrusted: (host: string): Repair => ({
      title: 'This phone does not trust the paddock',
      steps: [`Open http://${host}`, 'Follow its four steps', comeBack],
    }),
    networkBlocked: {
      title: "This phone blocks the paddock's network",
      steps: ['Settings, Apps, your browser', 'Permissions, Nearby devices', 'Allow'],
    },
    networkUnreached: {
      title: "The paddock's network cannot be reached",
      steps: [
        "Join the paddock's Wi-Fi",
        'On Android: Settings, Apps, your browser',
        'Permissions, Nearby devices, Allow',
      ],
    },
    askLocation: {
      title: 'Location is not allowed',
      steps: ['Tap Ask for location', 'Precise, then Allow'],
    },
    deniedSite: {
      title: 'Location is blocked for this site',
      steps: ['Tap the icon left of the address', 'Permissions, then Location', 'Allow'],
    },
    deniedSiteIos: {
      title: 'Location is blocked for this site',
      steps: ['Tap the icon left of the address', 'Website Settings, Location', 'Allow'],
    },
    deniedApp: {
      title: 'Location is off for the installed app',
      steps: [
        'Settings, Privacy & Security',
        'Location Services, Pitboard',
        'While Using the App, Precise Location',
      ],
    },
    locationOff: {
      title: 'Location is off on this phone',
      steps: ['Swipe down from the top', 'Turn on Location', comeBack],
    },
    approximate: {
      title: 'Location is approximate',
      steps: [
        'Tap the icon left of the address',
        'Permissions, then Location',
        'Turn on Use precise location',
      ],
    },
    approximateIos: {
      title: 'Location is approximate',
      steps: [
        'Settings, Privacy & Security',
        'Location Services, Pitboard or Safari Websites',
        'Turn on Precise Location',
      ],
    },
    inaccurate: {
      title: 'The position is inaccurate',
      steps: ['Put the phone where it sees the sky: windscreen or roof'],
    },
    locating: {
      title: 'No satellites yet',
      steps: ['Put the phone where it sees the sky: windscreen or roof', 'Wait up to 2 min'],
    },
    noReceiver: {
      title: 'This browser provides no location',
      steps: ['Open this page in Chrome or Safari, or on another phone'],
    },
    goesDark: {
      title: 'The screen may go dark in the car',
      steps: ['Settings, Battery', 'Turn off the battery saver', 'Connect a charger'],
    },
    goesDarkInstalled: {
      title: 'The screen may go dark in the car',
      steps: ['Open Pitboard in Safari, not from the Home Screen', 'Or update to iOS 18.4'],
    },
    goesDarkOldIos: {
      title: 'The screen may go dark in the car',
      steps: ['Update iOS', 'Or Settings, Display, Auto-Lock: Never'],
    },
    alwaysGoesDark: {
      title: 'The screen may go dark in the car',
      steps: ["Set the phone's auto-lock to never"],
    },
    savesPower: {
      title: 'Low Power Mode is on',
      steps: ['Settings, Battery', 'Turn off Low Power Mode', 'Connect a charger'],
    },
    clockWrong: (time: string): Repair => ({
      title: `The clock is ${time} wrong`,
      steps: ['Settings, Date & time', 'Turn on Set automatically', comeBack],
    }),
    storageFull: {
      title: 'Storage is full',
      steps: ['Delete a video or an app', comeBack],
    },
    storesNothing: {
      title: 'This browser stores nothing',
      steps: ['Leave the private window'],
    },
    noConnection: {
      title: 'No connection to the server',
      steps: ["Check the phone's Wi-Fi and mobile data"],
    },
    slowConnection: {
      title: 'Messages arrive late',
      steps: ['Use mobile data, or stand closer to the Wi-Fi'],
    },
    testLost: {
      title: 'No team screen showed the test flash',
      steps: ["A member opens the pit wall or this session's message screen", 'Send it again'],
    },
    soundBlocked: {
      title: 'The sound is locked',
      steps: ['Turn off silent mode', 'Tap Check again'],
    },
    buttonRefused: {
      title: 'The headset button needs sound',
      steps: ['Turn off silent mode', 'Tap Check again'],
    },
    voiceSilent: {
      title: 'This phone does not speak',
      steps: ['Install a voice in its settings', 'Tap Check again, or turn the voice off'],
    },
    batteryLow: {
      title: 'The battery may not last a stint',
      steps: ['Connect a charger'],
    },
  } satisfies Record<string, Repair | ((detail: string) => Repair)>,
  /** The steps in one line. */
  inOneLine: (steps: readonly string[]) => `${steps.join('. ')}.`,

  askForLocation: 'Ask for location',
  checkAgain: 'Check again',
  voiceName: 'Voice',
  voiceIn: (name: string, language: string) => `${name} (${language})`,
  headsetButton: 'Headset button',
  allChecks: 'All checks of this phone',

  // The page of all checks.
  page: 'Phone check',
  words: { ready: 'Ready', toDo: 'Not ready', pending: 'Checking' },
  ready: 'This phone is ready',
  readyMore: 'Tap the screen: Copy. Hold: PROBLEM.',
  pending: 'Checking this phone',
  pendingMore: 'It takes some seconds, and under the open sky up to 2 min for a position.',
  thenAlso: (titles: readonly string[]) => `Then: ${titles.join('. ')}.`,
  checks: 'Checks',
  count: (toDo: number, good: number, all: number) =>
    toDo === 0 ? `${good} of ${all} good` : `${toDo} to do, ${good} of ${all} good`,
}

/** The screen before a stint. */
export const getReadyText = {
  title: (toDo: number) =>
    toDo === 0 ? 'Get ready' : toDo === 1 ? '1 thing to do' : `${toDo} things to do`,
  leave: 'Leave',
  tap: 'Tap',
  hold: 'Hold',
  copy: 'Copy',
  problem: 'PROBLEM',
  practise: 'Practise',
  practised: 'Practised',
  testFlash: 'Test flash',
  drive: 'Drive',
  driveWithoutGps: 'Drive without GPS',

  practice: 'Practice. Nothing is sent.',
  skip: 'Skip',
  done: 'Done',
  tapAnywhere: 'Tap anywhere: Copy',
  tapped: 'Tap: Copy',
  holdAnywhere: 'Now hold anywhere',
  held: 'Hold: PROBLEM',
}

/** The glass while the car stands, or has no position. */
export const standingText = {
  leave: 'Leave',
  leaveTitle: 'Stop driving?',
  leaveText: 'Your team will see you as offline.',
  keepDriving: 'Keep driving',
  checks: 'Checks',
  noSatellites: (time: string) => `No satellites for ${time}`,
  atOnce: 'The speed appears at once.',
}
