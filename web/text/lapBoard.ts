import type { LapKind, YellowMessage } from '#contract/shared/lapKinds.ts'
import { type LapTimingStop, lapTimingStopReasons } from '#contract/shared/lapTimingStops.ts'

/** Laps on the driver's screen. */
export const lapBoardText = {
  board: 'Laps',
  last: 'Last lap',
  /** The kind comes last: "In lap 4" can be read as a stop to come. */
  lap: (number: string, kind: LapKind) =>
    `Lap ${number}${kind === 'out' ? ', out' : kind === 'in' ? ', in' : ''}`,
  faster: 'faster',
  slower: 'slower',
  level: 'level',
  than: { average: 'than average', best: 'than best', target: 'than target' },
  with: { average: 'with average', best: 'with best', target: 'with target' },
  current: 'this lap',

  noAverage: 'No average yet',
  noAverageText: 'From the third full lap',
  noBest: 'No best lap yet',
  noBestText: 'From the second full lap',
  notCompared: 'Not compared',
  had: {
    FCY: 'Last lap had an FCY.',
    SC: 'Last lap had an SC.',
    'Code 60': 'Last lap had a Code 60.',
  } satisfies Record<YellowMessage, string>,
  hadFlag: (flag: string) => `Official flag in it: ${flag}.`,
  wasYellow: 'Last lap was yellow.',
  wasMarked: 'The team marked it yellow.',
  inPits: {
    full: '',
    pit: 'Last lap had a stop.',
    in: 'Last lap ended in the pits.',
    out: 'Last lap was an out lap.',
    incomplete: '',
  } satisfies Record<LapKind, string>,
  notSeen: 'There was no GPS at the line.',
  timingStopped: 'Lap timing stopped',
  timingStoppedText: (stop: LapTimingStop) => asSentence(lapTimingStopReasons[stop]),
  poor: 'GPS too poor for lap times',
  poorText: 'Laps are counted. Times are approximate.',

  kmh: 'km/h',
  noGps: 'No GPS',
  accuracy: (metres: string) => `GPS ±${metres} m`,

  /** The panel that sets the start and finish line. */
  line: {
    open: 'Line',
    close: 'Close',
    panel: 'Start and finish line',
    hint: 'Drive slowly. Tap when you are on the line.',
    learning: 'The circuit is not known yet. Drive one full lap first.',
    lineIsHere: 'Line is here',
    moved: (metres: string) => `Line moved ${metres}\u00a0m. Laps recalculated.`,
    set: 'Line is set. Laps recalculated.',
    undo: 'Undo',
    undone: 'Undone. Laps recalculated.',
    notSet: 'Not set.',
    notUndone: 'Not undone.',
    sendAgain: 'Send again',
  },
}

function asSentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`
}
