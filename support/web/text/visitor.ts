import { part } from '#web/text/text.ts'

export const supportText = part('support', {
  title: 'Pitboard support',
  call: 'Pitboard support is calling you. Answer to talk. Your microphone stays off until you do.',
  answer: 'Answer',
  control:
    'Pitboard support asks to see this page and to use it for you. You see every action and can end control at any time, except while a message is on the screen.',
  allowControl: 'Allow control',
  recording:
    'Pitboard support asks to see and record this page. A red border is shown while recording.',
  allowRecording: 'Allow recording',
  reject: 'Reject',
  microphone:
    'The call ended because your microphone did not start. Allow it in the browser, then ask support to call again.',
  close: 'Close',
})

declare module '#web/text/text.ts' {
  interface Text {
    readonly support: typeof supportText
  }
}
