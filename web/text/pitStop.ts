/** A pit stop on the driver's screen. */
export const pitStopText = {
  pitStop: 'Pit stop',
  pitOut: 'Pit out',
  /** On the team's screens. */
  sinceLine: 'Pit stop, since the line',
  noTime: '--',
  minimum: (time: string) => `Minimum ${time}`,
  /** The time from the box to the pit-out line, which counts: on the team's screens, and for the driver. */
  withWayOut: (time: string) => `${time} of it to pit exit`,
  onWayOut: 'on the way out',
  thenWayOut: (time: string) => `then ${time} to pit exit`,
  /** Beside the plate of a safety order. */
  inForce: 'in force,',
  notCopied: (ago: string) => `not copied, ${ago}`,
  of: (time: string, minimum: string) => `${time} of ${minimum}`,
  doneIn: 'Done in',
  leave: 'Leave',
  leaveIn: 'Leave in',
  countsFromStop: 'Counts from your stop',
  done: 'Done',
  onSignal: "Leave on your crew's signal",
  limit: (kmh: string) => `Pit limit ${kmh} km/h`,
  minimumDone: 'Minimum stop done',
  early: (time: string, isAbout: boolean) => `${isAbout ? 'about ' : ''}${time} early`,
  band: (time: string) => `Pit ${time}`,
  secondsLeft: (seconds: string) => `${seconds} seconds left`,
}
