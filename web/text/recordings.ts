export const recordingsText = {
  open: 'Import a recording',
  about:
    'Import an earlier drive to compare its laps: VBO, GPX, TCX, KML, NMEA, or the CSV of a lap timer or logger. It becomes an ended session with you as its driver. Nobody is notified.',
  file: 'File',
  name: 'Name',
  day: 'Day, if the file has none',
  dayReadAs: (text: string, day: string) =>
    `The date ${text} in the file is read as ${day}. If this is wrong, enter the correct day above.`,
  import: 'Import',
  compressing: 'Compressing the file',
  sending: (share: string) => `Sending the file: ${share}`,
  storing:
    'The server is receiving, reading and storing the file. A large file takes up to a minute.',
  done: 'Imported',
  positions: (count: string, laps: string) => `${count} positions. The laps appear ${laps}.`,
  inSeconds: 'in a few seconds',
  inAMinute: 'within a minute',
  inMinutes: (minutes: number) => `within ${minutes} minutes`,
  lapsOnly: (count: string) =>
    `${count} positions. They are older than this server stores positions, so only the laps are kept.`,
  noLapTimingHint: 'Only the positions are stored, and no laps are computed.',
  drives: (count: number) =>
    `It contains ${count} drives, on several circuits or in both directions: each is a session of its own.`,
  thinned: (perSecond: number) => `The file has more: ${perSecond} a second were kept.`,
  addedWeeks: (weeks: number) =>
    `The receiver's calendar is too old: ${new Intl.NumberFormat().format(weeks)} weeks were added to its dates.`,
  noLaps: (count: string) => `${count} positions.`,
  nothing: 'The positions are older than this server stores them, and no laps are computed.',
  known: 'This recording is already imported.',
  completed: (count: string) =>
    `An earlier import of this recording was incomplete. Its ${count} missing positions were added.`,
  partly:
    'Some positions of the file may already be stored. Import it again to add the rest, or delete the positions in the session.',
  timedAgain: 'Its session has lap timing now.',
  timedNoMore: 'Its session has no lap timing now: its laps were deleted.',
}
