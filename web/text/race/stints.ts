import { part } from '../text.ts'

/** The page on which the stints of a session are corrected. */
export const stintsText = part('stints', {
  page: 'Stints',
  back: 'Laps',
  loading: 'Loading stints',
  failed: 'The stints did not load',
  tryAgain: 'Try again',
  hint: 'Correct drivers and times. Laps, driving times and the plan follow.',
  viewOnly: 'You watch this team. Its members correct stints.',
  noDrivers: 'Your team has no drivers yet. Enter them under Cars and drivers.',
  drivers: 'Cars and drivers',
  list: 'Stints of this session',
  stint: (number: string) => `Stint ${number}`,
  times: (from: string, to: string, minutes: string) => `${from} to ${to}, ${minutes} min`,
  now: 'now',
  edit: (number: string) => `Correct stint ${number}`,
  remove: (number: string) => `Remove stint ${number}`,
  add: 'Add stint',
  addTitle: 'Add a stint',
  editTitle: (number: string) => `Correct stint ${number}`,
  driver: 'Driver',
  archived: (driver: string) => `${driver} (archived)`,
  from: 'From',
  to: 'To',
  toNow: 'Leave empty if the driver is still in the car.',
  toEnd: 'Leave empty for the rest of the session.',
  firstStarts: 'The first stint starts with the session.',
  lastEnds: 'The last stint ends with the session.',
  timeExample: '14:05:00',
  timeWrong: 'Enter a time such as 14:05 or 14:05:30.',
  cancel: 'Cancel',
  save: 'Save',

  conflicts: {
    order: 'The stint must end after it starts.',
    outside: (from: string, to: string) => `The session lasts from ${from} to ${to}.`,
    overlap: (number: string, driver: string, from: string, to: string) =>
      `This overlaps stint ${number} of ${driver}, from ${from} to ${to}. Correct or remove that one first.`,
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
})

declare module '../text.ts' {
  interface Text {
    readonly stints: typeof stintsText
  }
}
