export const practiceText = {
  /** In place of the driver's name. */
  label: 'PRACTICE',
  /** In place of the number of a car. */
  plate: 'PRAC',
  full: 'Practice car',
  endsIn: (time: string) => `Simulated car: no laps, and no orders to all cars. Ends in ${time}.`,
  start: 'Practice car',
  startText: 'Three minutes with a simulated car, to try the wall and the messages.',
  hint: 'Or try the keys first: a practice car drives for three minutes.',
  failed: 'The practice car did not start',
}
