import { part } from './text.ts'

export const lapsText = part('laps', {
  page: 'Laps',
  back: 'Messages',
  toTeam: 'Team',
  loading: 'Loading laps',
  computing: 'Computing laps',
  failed: 'The laps did not load',
  tryAgain: 'Try again',

  /** Strip on the message screen. */
  last: 'Last',
  best: 'Best',
  recentAverage: 'Average 10',
  lap: 'Lap',
  faster: 'faster',
  slower: 'slower',

  session: (name: string, driver: string) => `${name}, ${driver}.`,
  accuracy: (plusMinus: string) => `Phone GPS, each lap ±${plusMinus} s (95 %).`,
  poor: 'GPS too poor for lap times: laps are counted, times are approximate.',
  circuit: (name: string) => `${name}.`,
  learnedCircuit: (km: string) => `Circuit learned by driving, ${km} km.`,

  none: 'No laps yet',
  noneText: 'Laps appear when the car has driven one full lap of the circuit.',
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
  marks: {
    out: 'Out',
    full: '',
    in: 'In',
    pit: 'Pit',
    incomplete: 'Part',
    yellow: 'Yellow',
    best: 'Best',
  },
  compared:
    'The average is the median of the whole laps of a stint without FCY and SC. Laps with the mark "Not seen" had no GPS at the line.',

  noTiming: 'No lap timing',
  noTimingHint:
    'Some insurers and organisers of track days forbid it. Laps are then not timed, stored or shown.',
  turnOffTitle: 'Turn lap timing off?',
  turnOffText:
    'The laps of this session are deleted for everyone. If you turn it on again, they are computed from the positions that are still stored.',
  keep: 'Keep the laps',
  turnOff: 'Turn off',
  changeFailed: 'Not changed',
})

declare module './text.ts' {
  interface Text {
    readonly laps: typeof lapsText
  }
}
