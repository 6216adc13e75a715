import { part } from './text.ts'

export const lapsText = part('laps', {
  page: 'Laps and stints',
  back: 'Messages',
  toTeam: 'Team',
  loading: 'Loading laps',
  computing: 'Computing laps',
  computingText: 'Computing laps. Those of a long recording take a few minutes.',
  failed: 'The laps did not load',
  tryAgain: 'Try again',

  /** Strip on the message screen. */
  last: 'Last',
  best: 'Best',
  recentAverage: 'Average 10',
  lap: 'Lap',
  round: 'Position on the lap',
  faster: 'faster',
  slower: 'slower',

  session: (name: string, driver: string) => `${name}, ${driver}.`,
  accuracy: (plusMinus: string) => `Phone GPS, each lap ±${plusMinus}\u00a0s (95\u00a0%).`,
  accuracyOfImport: (plusMinus: string) =>
    `Recorded GPS, each lap ±${plusMinus}\u00a0s (95\u00a0%).`,
  poor: 'GPS too poor for lap times: laps are counted, times are approximate.',
  circuit: (name: string) => `${name}.`,
  learnedCircuit: (km: string) => `Circuit learned by driving, ${km} km.`,

  none: 'No laps yet',
  noneText: 'Laps appear when the car has driven one full lap of the circuit.',
  noneDriven: 'No laps',
  noneDrivenText: 'The car drove no full lap of a circuit, or its laps were deleted.',
  off: 'Lap timing is off',
  offText: 'Laps of this session are not timed, stored or shown.',

  table: 'Laps',
  time: 'Time',
  toAverage: 'To average',
  mark: 'Mark',
  stint: (number: string) => `Stint ${number}`,
  stintLaps: (first: string, last: string, time: string) => `Laps ${first} to ${last}, ${time}`,
  stintLap: (lap: string, time: string) => `Lap ${lap}, ${time}`,
  notCompared: 'not compared',
  noTime: 'Not seen',
  markYellow: (lap: string) => `Mark lap ${lap} yellow`,
  markFailed: 'Lap not marked',
  markHint: 'A lap marked with the flag is yellow for everyone, and is not compared.',
  stop: (time: string) => `Pit ${time}`,
  marks: {
    out: 'Out',
    full: '',
    in: 'In',
    pit: 'Pit',
    incomplete: 'Part',
    yellow: 'Yellow',
    best: 'Best',
  },
  chart: {
    best: (time: string) => `Best ${time}`,
    stintAverage: 'Stint average',
    pit: 'Pit',
    yellow: 'Yellow',
    failed: 'The chart did not load. The table has the same laps.',
    range: (last: string) => `Lap times of ${last} laps.`,
    bestOn: (time: string, lap: string) => `Best ${time} on lap ${lap}.`,
    average: (time: string) => `Average ${time}.`,
    band: (name: string, from: string, to: string | null) =>
      to === null ? `${name} on lap ${from}.` : `${name} on laps ${from} to ${to}.`,
  },

  comparison: {
    title: 'Comparison',
    sessions: 'Sessions',
    drivers: 'Drivers',
    sideBySide: 'Lap by lap',
    columns: {
      best: 'Best',
      average: 'Average',
      median: 'Median',
      spread: 'Spread',
      laps: 'Laps',
    },
    sessionCount: (count: number) => (count === 1 ? '1 session' : `${count} sessions`),
    note: 'Whole laps without FCY, SC, Code 60 and yellow marks. Spread is half the range of the middle 80 %: the smaller, the more consistent.',
    choose: 'Compare sessions',
    search: 'Search by name or driver',
    limit: (most: number) => `Up to ${most} sessions on the same circuit.`,
    loading: 'Loading sessions',
    listFailed: 'The sessions did not load',
    none: 'Your team has no other session on this circuit.',
    noneFound: 'No session on this circuit matches.',
    earlier: 'Show earlier sessions',
    done: 'Done',
    remove: (name: string) => `Remove ${name} from the comparison`,
    failed: 'A session did not load.',
    removeFailed: 'Remove it',
  },

  compared:
    'The average is the median of the whole laps of a stint without FCY, SC, Code 60 and yellow marks. Laps with the mark "Not seen" had no GPS at the line.',

  stints: 'Correct stints',
  dataLinkOff: 'Data link off',
  dataLinkOffHint:
    'For series that forbid it: no position, speed or message goes either way. The message on the screen is cleared. Clocks, stints and fuel can still be entered.',
  noTiming: 'No lap timing',
  noTimingHint:
    'Some insurers and organisers of track days forbid it. Laps are then not timed, stored or shown.',
  turnOffTitle: 'Turn lap timing off?',
  turnOffText:
    'The laps of this session are deleted for everyone. If you turn it on again, they are computed from the positions that are still stored.',
  keep: 'Keep the laps',
  turnOff: 'Turn off',
  changeFailed: 'Not changed',

  reference: "Driver's lap is compared with",
  referenceHint: "The difference is on the driver's screen, at fast places of the circuit.",
  references: {
    average: 'Average of the last 10 laps',
    best: 'Best lap',
    target: 'Target',
  },
  target: 'Target lap',
  targetPlaceholder: '1:52.4',
  setTarget: 'Set target',
  targetWrong: 'Enter a time from 0:10 to 60:00, such as 1:52.4.',
  plan: 'Plan',
  replay: 'Replay',
  exportSession: 'Export the session',
  exportLap: (lap: string) => `Export lap ${lap}`,
  exportHint: 'Times in UTC',
  files: {
    'laps.csv': 'CSV: laps',
    'positions.csv': 'CSV: positions',
    'track.gpx': 'GPX: track with times',
    'track.vbo': 'VBO: for video overlay and analysis',
    'racechrono.csv': 'CSV in the style of RaceChrono',
  },
})

declare module './text.ts' {
  interface Text {
    readonly laps: typeof lapsText
  }
}
