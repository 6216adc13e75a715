import { type NotificationKind, silentEventMs } from '#contract/teamEvents.ts'

/** The dialog in which a person chooses notifications. */
export const notificationsText = {
  title: 'Notifications',
  text: 'On this device, also while the app is closed. A notification is sent once, and discarded if it cannot be delivered within a minute.',
  loading: 'Loading notifications',
  failed: 'The notifications did not load',

  unsupported: 'This browser does not support notifications. Use another one, or update it.',
  ios: 'On an iPhone or iPad, add Pitboard to the Home Screen first: tap Share, then Add to Home Screen. Then open it from there.',
  iosOld: 'On an iPhone or iPad, notifications need iOS 16.4 or newer.',
  denied:
    'Notifications are blocked. Allow them for this site in the settings of the browser or phone, then try again.',
  notOffered: 'This server sends no notifications.',
  on: 'On for this device',
  off: 'Off for this device',
  turnOn: 'Turn on for this device',
  turnOff: 'Turn off for this device',
  turnOnFailed: 'The push service of this browser could not be reached. Try again.',
  testSent: 'Test sent. It appears within a few seconds.',
  testFailed: 'The push service did not accept the test. Turn notifications off and on again.',
  test: 'Send a test',

  events: 'Notify me when',
  kinds: {
    'session-started': 'a session starts',
    'driver-silent': `a driver is silent for ${silentEventMs / 1000} s`,
    stopped: 'a car stops on track',
    problem: 'a driver answers "Problem"',
    'pit-in': 'a car comes into the pits',
    'stint-over': 'a stint reaches its longest time',
    waiting: 'somebody waits to be let in',
  } satisfies Record<NotificationKind, string> as Record<NotificationKind, string>,
  allDevices:
    'The choice is the same on all of your devices. Nobody is notified on the phone that drives.',
  notSaved: 'Not saved',
}
