/** The driver change on the phone in the car, and its proposal at a pit stop. */
export const driverChangeText = {
  driver: (name: string) => `Driver: ${name}`,
  close: 'Close',
  panel: 'Driver change',
  title: 'Who drives next?',
  hint: 'You stay signed in on this phone.',
  notSent: 'Not sent yet',
  changed: (name: string) => `${name} drives.`,
  changedUnsent: (name: string) => `${name} drives. Not sent yet.`,
  undo: (name: string) => `Undo: ${name} continues`,
  refused: 'Driver not changed.',

  proposal: 'Driver change?',
  out: 'Out',
  in: 'In',
  noPlan: 'Not planned',
  byPlan: 'by plan',
  /** In a later stop: the change of this one is not answered. */
  atStop: (time: string) => `at ${time}?`,
  /** The driver who came in stays in the car. */
  continues: 'continues',
  changedInStop: 'Driver change',
  confirmed: (name: string | null, age: string) => {
    const ago = `${age} ago`.replaceAll(' ', '\u00a0')
    return name === null ? `Confirmed, ${ago}` : `Confirmed by ${name}, ${ago}`
  },
  confirm: 'Confirm',
  other: 'Other',
  accept: (from: string, to: string) => `Driver change? ${from} to ${to}, planned`,
  choose: 'Choose driver',
  dismiss: 'No driver change',
  /** After the exit, beside Confirm. */
  none: 'No change',
  /** In place of the driver's name, until it is answered. */
  isIn: (driver: string) => `${driver} in?`,
}
