/** A pit stop on the driver's screen. */
export const pitStopText = {
  pitStop: 'Pit stop',
  minimum: (time: string) => `Minimum ${time}`,
  of: (time: string, minimum: string) => `${time} of ${minimum}`,
  doneIn: 'Done in',
  countsFromStop: 'Counts from your stop',
  done: 'Done',
  leave: "Leave on your crew's signal",
  minimumDone: 'Minimum stop done',
  early: (time: string) => `${time} early`,
  band: (time: string) => `Pit ${time}`,
  secondsLeft: (seconds: string) => `${seconds} seconds left`,
}
