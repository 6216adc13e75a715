/** How to install the app on a phone. */
export const installText = {
  install: 'Install Pitboard',
  why: 'Opens in full screen, also without a network',
  title: 'Install Pitboard on this phone',
  steps: {
    ios: [
      "Tap the Share button in the browser's toolbar.",
      'Scroll down and tap Add to Home Screen, then Add.',
      'Open Pitboard from the Home Screen and sign in there once.',
    ],
    android: [
      "Open the browser's menu, the three dots.",
      'Tap Install app or Add to Home screen, then Install.',
      'Open Pitboard from the Home screen.',
    ],
  } as Readonly<Record<'ios' | 'android', readonly string[]>>,
  done: 'Got it',
  hide: "Don't show this again",
}
