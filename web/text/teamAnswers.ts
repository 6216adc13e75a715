/** Questions to the driver and the answers, on the team's screens. */
export const teamAnswersText = {
  ask: 'Ask\u00a0?',
  askHint: 'Tap a message to ask it',
  answered: (took: string) => `After ${took}`,
  noAnswer: 'Shown, no answer',
  fromDriver: (answer: string) => `Driver: ${answer}`,
}
