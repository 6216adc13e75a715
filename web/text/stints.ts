/** The page on which the stints of a car are corrected. */
export const stintsText = {
  page: 'Stints',
  back: 'Laps',
  loading: 'Loading stints',
  failed: 'The stints did not load',
  hint: 'Correct drivers and times. Laps, driving times and the plan follow.',
  viewOnly: 'You watch this team. Its members correct stints.',
  noDrivers: 'Your team has no drivers yet. Enter them under Cars and drivers.',
  drivers: 'Cars and drivers',
  list: 'Stints of the car',
  stint: (number: string) => `Stint ${number}`,
  /** Until a member answers whether the planned driver took over at a stop. */
  notConfirmed: 'driver not confirmed',
  notInRace: 'Not in the race',
  /** Names a stint without a number. */
  at: (time: string) => `at ${time}`,
  times: (from: string, to: string, minutes: string) => `${from} to ${to}, ${minutes} min`,
  now: 'now',
  edit: (stint: string) => `Correct stint ${stint}`,
  remove: (stint: string) => `Remove stint ${stint}`,
  add: 'Add stint',
  addTitle: 'Add a stint',
  driver: 'Driver',
  archived: (driver: string) => `${driver} (archived)`,
  from: 'From',
  to: 'To',
  toNow: 'Leave empty if the driver is still in the car.',
  toEnd: 'Leave empty for the rest of the race.',
  firstStarts: 'The first stint starts with the first phone in the car.',
  endsItself: 'It ends when no phone is in the car any more.',
  timeExample: '14:05:00',
  timeWrong: 'Enter a time such as 14:05 or 14:05:30.',
  timeSkipped: 'This time does not exist: the clocks go forward over it on that day.',
  cancel: 'Cancel',
  save: 'Save',

  conflicts: {
    order: 'The stint must end after it starts.',
    outside: (from: string, to: string) => `The car is driven from ${from} to ${to}.`,
    overlap: (stint: string, driver: string, from: string, to: string) =>
      `This overlaps stint ${stint} of ${driver}, from ${from} to ${to}. Correct or remove that one first.`,
  },
  inTwoCars: (driver: string, from: string, to: string) =>
    `${driver} also drives another car of this race from ${from} to ${to}.`,
  warnings: 'Check these stints',

  added: 'Stint added',
  changed: 'Stint corrected',
  removed: 'Stint removed',
  removedText: (driver: string) => `Its time now counts for ${driver}.`,
  undo: 'Undo',
  undone: 'Undone',
  undoFailed: 'Not undone',
  notSaved: 'Not saved.',
  isNow: (driver: string, from: string, to: string) =>
    `It is now ${driver}, from ${from} to ${to}.`,
  notRemoved: 'Not removed',
}
