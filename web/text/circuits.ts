export const circuitsText = {
  page: 'Circuits',
  pageSub: 'Nearest first. A circuit nobody imported is learned from the first full lap.',
  unnamed: 'Unnamed circuit',
  learnedNear: (place: string, day: string) => `Learned near ${place}, ${day}`,
  learnedOn: (day: string) => `Learned on ${day}`,
  loading: 'Loading circuits',
  loadingOne: 'Loading the circuit',
  failed: 'The circuits did not load',
  failedOne: 'The circuit did not load',

  /** Subtitle. */
  shipped: 'Comes with the app.',
  imported: 'Imported from a file.',
  learnedOnce: 'Learned from 1 lap. More laps make it more exact.',
  learned: (laps: string) => `Learned from ${laps} laps.`,
  learnedWithin: (laps: string, metres: string) =>
    `Learned from ${laps} laps. Follows the car to within ${metres}\u00a0m.`,
  notKnown: 'Circuit not known yet',
  drivenBy: (km: string, car: string) => `${km}\u00a0km driven by ${car}.`,
  knownAfterLap: 'Known after one full lap.',

  map: (name: string) => `Circuit ${name} with the line and the pit lane`,
  driven: 'Part of the circuit driven so far',
  line: 'Line',
  pitIn: 'Pit in',
  pitOut: 'Pit out',

  length: 'Length',
  direction: 'Direction',
  lapTime: 'Lap time',
  directions: { clockwise: 'Clockwise', anticlockwise: 'Anticlockwise' },
  /** The line's error, if nobody has set it. */
  lineFrom: { closed: 'First lap', data: 'From the map', tapped: 'On the map' },
  lineFromFile: 'From the file',
  notSet: 'Not set',
  unknown: '--',

  lineIsHere: 'Line is here',
  pitLane: 'Pit lane',
  pitInHere: 'Pit in is here',
  pitOutHere: 'Pit out is here',
  theCar: 'the car',
  car: (number: string) => `car ${number}`,
  carOf: (driver: string) => `the car of ${driver}`,
  hint: (car: string) =>
    `Tap when ${car} is on the start and finish line. The line moves to the car.`,
  hintPitIn: (car: string) => `Tap when ${car} enters the pit lane.`,
  hintPitOut: (car: string) => `Tap when ${car} leaves the pit lane.`,
  /** `notKnown` are the cars whose circuit is not known. */
  hintNoCar: (notKnown: readonly string[]) =>
    `The line and the pit lane are set where a car is. ${
      notKnown.length === 0
        ? 'No car is on this circuit now.'
        : `The circuit of ${notKnown.join(' and ')} is not known yet.`
    }`,
  placeLine: 'Set the line on the map',
  placing: 'Place of the line',
  placingAt: (metres: string) => `${metres}\u00a0m`,
  hintPlacing: 'Tap the track, or move the slider.',
  placeHere: 'Set the line',
  placed: 'Line is set. Laps recalculated.',
  removePitLane: 'Remove the pit lane',
  pitLaneRemoved: 'Pit lane removed. Laps recalculated.',
  hintNotKnown: (km: string) =>
    `${km}\u00a0km driven. The line and the pit lane can be set after the first lap.`,
  viewOnly: 'Members set the line and the pit lane.',
  moved: {
    line: (metres: string, car: string) =>
      `Line moved ${metres}\u00a0m to ${car}. Laps recalculated.`,
    'pit-in': (_metres: string, car: string) => `Pit in is at ${car}.`,
    'pit-out': (_metres: string, car: string) => `Pit out is at ${car}. Laps recalculated.`,
  },
  undo: 'Undo',
  undone: 'Undone. Laps recalculated.',
  gateFailed: 'Not set',
  undoFailed: 'Not undone',

  here: 'Here',
  km: (km: string) => `${km}\u00a0km`,
  away: (km: string) => `${km}\u00a0km away`,
  noName: 'No name yet',
  sources: { shipped: 'OpenStreetMap', imported: 'from a file' },
  laps: (laps: string) => `learned from ${laps} laps`,
  oneLap: 'learned from 1 lap',

  actions: 'Change this circuit',
  rename: 'Rename',
  name: 'Name',
  nameMissing: 'Enter a name.',
  renamed: (name: string) => `The circuit is called ${name}.`,
  exportGeoJson: 'Export as GeoJSON',
  exportGpx: 'Export as GPX',
  reverse: 'Reverse the direction',
  reversed: 'The direction is reversed. Laps recalculated.',
  reverseFailed: 'Not reversed',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText:
    'Laps of ended sessions stay as they are. The next car on this circuit adds it again.',
  keep: 'Keep it',
  deleted: (name: string) => `${name} is deleted.`,
  deleteFailed: 'Not deleted',

  import: 'Import a file',
  importTitle: 'Import a circuit',
  importText:
    'A GeoJSON or GPX file with the closed outline. Points named Line, Pit in and Pit out mark the line and the pit lane.',
  file: 'File',
  fileMissing: 'Choose a file.',
  fileTooLong: 'Use a file of at most 1 MB.',
  add: 'Import',
  added: (name: string) => `${name} is added.`,
}
