export const supportText = {
  title: 'Pitboard support',
  call: 'Pitboard support is calling you. Answer to talk. Your microphone stays off until you do.',
  answer: 'Answer',
  allowControl: 'Allow control',
  allowRecording: 'Allow recording',
  reject: 'Reject',
  microphone:
    'The call ended because your microphone did not start. Allow it in the browser, then ask support to call again.',
  close: 'Close',
  /** The built-in desk sees a page only with consent. */
  builtin: {
    control:
      'Pitboard support asks to see this page and to use it for you. You see every action and can end control at any time. On a drive screen, messages come first.',
    recording:
      'Pitboard support asks to see and record this page. A red border is shown while recording.',
    test: 'We record how far you get, how long it takes and what you write.',
  },
  /** An OpenReplay server records every page, and its agents watch without asking. */
  openReplay: {
    control:
      'Pitboard support can see this page already, and asks to use it for you. You see every action and can end control at any time. On a drive screen, messages come first.',
    recording:
      'Pitboard support can see this page already, and asks to save a recording of it. A red border is shown while recording.',
    test: 'We record this page, how far you get, how long it takes and what you write. If the browser asks for your camera or microphone and you allow it, a film of you is sent to us, too.',
  },
}
