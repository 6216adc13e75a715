/** The driver's problem on the screens of the team and of the driver. */
export const problemText = {
  gotIt: 'Got it',
  gotItOf: (car: string) => `Got it: ${car}`,
  by: (name: string | null) => (name === null ? 'Got it' : `Got it by ${name}`),
  slowing: (speed: string) => `slowing: ${speed}`,
  /** The parts of the line over the word. */
  lap: (number: string) => `lap ${number}`,
  shown: (ago: string) => `shown ${ago}`,
  copied: (ago: string) => `copied ${ago}`,
  after: (time: string) => `after ${time}`,
  failed: 'Not sent',
}
