/** Questions to the driver and the answers, on the team's screens. */
export const teamAnswersText = {
  ask: 'Ask ?',
  askHint: 'Tap a message to ask it',
  answered: 'Answered',
  ago: (age: string) => `${age} ago`,
  noAnswer: 'On screen, no answer',
  fromDriver: (answer: string) => `Driver: ${answer}`,
  at: (answer: string, time: string) => `${answer} ${time}`,
}
