import { part } from '../text.ts'

/** The clock of a race, and the controls that start and pause it. */
export const raceClockText = part('raceClock', {
  toGo: 'To go',
  elapsed: 'Elapsed',
  lap: 'Lap',
  notStarted: 'Race',
  notStartedText: 'Not started',
  paused: 'Paused',
  over: 'Race over',
  lapOf: (lap: string, laps: string) => `${lap} of ${laps}`,
  open: 'Race clock',

  start: 'Race started',
  startHint: 'Press when the race starts. You can correct the time later.',
  pause: 'Pause race clock',
  pauseHint: 'The clock runs through red flags. Pause it only if the series stops its own.',
  resume: 'Resume',
  end: 'Race over',
  endTitle: 'End the race?',
  endText: 'The clock stops for all cars. Sessions that start later do not join this race.',
  cancel: 'Cancel',
  close: 'Close',
  startedAt: 'Started at',
  startedAtHint: 'Hours, minutes and seconds, such as 14:00:03.',
  startedAtWrong: 'Enter a time such as 14:00:03.',
  saveStart: 'Set start time',
  notYet: 'The race has not started',
  notYetTitle: 'Remove the start time?',
  notYetText: 'The race clock returns to “Not started” for all cars, and its pauses are deleted.',
  removeStart: 'Remove start time',
  failed: 'The race clock did not change',
})

declare module '../text.ts' {
  interface Text {
    readonly raceClock: typeof raceClockText
  }
}
