export const carPhonesText = {
  phoneOf: (name: string) => `${name}'s phone`,
  phoneIn: (session: string) => `Phone (${session})`,
  none: 'No phone in the car',
  which: 'Which phone is in the car?',
  hint: 'Messages go to it, and its laps count from now on. Your choice wins over GPS for good.',
  inCarSince: (time: string) => `In the car since ${time}`,
  inCar: 'In the car',
  notInCar: 'Not in the car',
  neverMoved: 'Never moved, counts nowhere',
  cancel: 'Cancel',
  notDecided: 'The phone in the car was not changed',
}
