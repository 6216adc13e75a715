/** The phones of a car: one of them is in it. */
export const carPhonesText = {
  phoneOf: (name: string) => `${name}'s phone`,
  which: 'Which phone is in the car?',
  notDecided: 'The phone in the car was not changed',
}
