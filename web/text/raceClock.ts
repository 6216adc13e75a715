/** The clock of a race, and the controls that start and pause it. */
export const raceClockText = {
  toGo: 'To go',
  timeUp: 'Time up',
  elapsed: 'Elapsed',
  lap: 'Lap',
  starts: 'Starts',
  race: 'Race',
  finished: 'Finished',
  /** After `race`. */
  isOver: 'Over',
  /** Below `over`. */
  stillReached: 'Orders still reach the driver',
  notStartedText: 'Not started',
  paused: 'Paused',
  over: 'Race over',
  lapOf: (lap: string, laps: string) => `${lap} of ${laps}`,
  open: 'Race clock',

  stayBehind: (cars: string, race: string) =>
    `Still in ${race}: ${cars}. Orders reach them, but their laps count here only after their drivers end that session and start a new one.`,
  plannedFor: (day: string) => `This race is planned for ${day}.`,
  start: 'Race started',
  startHint: 'Press when the race starts. You can correct the time later.',
  pause: 'Pause race clock',
  pauseHint: 'The clock runs through red flags. Pause it only if the series stops its own.',
  resume: 'Resume',
  end: 'Race over',
  endTitle: 'End the race?',
  endText: (unfinished: readonly string[]) => {
    const text = 'The clock stops for all cars. Sessions that start later do not join this race.'
    if (unfinished.length === 0) return text
    const verb = unfinished.length === 1 ? 'has' : 'have'
    return `${unfinished.join(', ')} ${verb} not finished. ${text}`
  },
  cancel: 'Cancel',
  close: 'Close',
  startedAt: 'Started at',
  startedAtHint: 'Hours, minutes and seconds, such as 14:00:03.',
  startedAtWrong: 'Enter a time such as 14:00:03.',
  skippedTime: 'This time does not exist: the clocks go forward over it on that day.',
  saveStart: 'Set start time',
  notYet: 'Take the start back',
  notYetTitle: 'Remove the start time?',
  notYetText: 'The race clock returns to “Not started” for all cars, and its pauses are deleted.',
  removeStart: 'Remove start time',
  failed: 'The race clock did not change',
}
