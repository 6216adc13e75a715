/** Fuel, and the stint on the team's message screen. */
export const fuelText = {
  line: 'Stint and fuel',
  stint: 'Stint',
  stintLeft: 'Stint left',
  driverLeft: 'Driver left',
  pitIn: 'Pit in',
  inPits: 'In pits',
  lapsUnit: 'laps',
  lapUnit: 'lap',
  /** Before the unit: the car comes in at the end of this lap, or of the next one. */
  thisLap: 'this',
  nextLap: 'next',
  minutesUnit: 'min',
  now: 'now',
  /** Why the car must come in. */
  reasons: {
    fuel: 'fuel',
    fuelAssumed: 'fuel, assumed',
    stint: 'stint',
    driver: 'driver',
    rest: 'rest',
    plan: 'plan',
  },
  /** Stops that the rules require and that were not made. */
  stopsMissing: (stops: number) => `${stops} ${stops === 1 ? 'stop' : 'stops'} missing`,
  pitInFor: (reason: string) => `Pit in: ${reason}`,
  fuel: 'Fuel',
  fuelAt: (time: string) => `Fuel at ${time}`,
  start: 'start',
  reserve: 'Reserve',
  litres: (litres: string) => `${litres} L`,
  plusMinus: (litres: string) => `±${litres}`,
  /** The tank is expected to be almost empty: the most that is likely to be left. */
  under: (litres: string) => `under ${litres} L`,
  /** In place of the ±: the litres are those of a full tank that nobody entered. */
  assumed: 'assumed',
  refuel: 'Refuel',
  unknown: '--',
  notKnown: 'not known',
  /** After a stop whose litres nobody has entered. */
  noLitres: 'no litres',
  /** In place of the stint, while nobody has answered whether the planned driver took over. */
  asksDriver: 'driver?',
  /** The car needs no stop until the finish. */
  noStop: 'no stop',
  /** The next crossing of the line ends its race. */
  lastLap: 'last lap',
  overLimit: 'over limit',
  saveToEnd: (litres: string) => `save ${litres} L to finish`,
  isMissing: 'Litres?',
  enter: 'Enter',

  /** A stop in the list of entries. */
  notEntered: 'Not entered',
  enterOf: (time: string) => `Enter the litres of the stop of ${time}`,

  question: 'How many litres went in?',
  amount: 'Litres',
  less: 'One litre less',
  more: 'One litre more',
  toFull: 'Filled to full',
  toFullText: (litres: string | null) =>
    litres === null ? 'The tank is full after it' : `Tank is ${litres} L`,
  part: 'Part of it',
  partText: 'Adds to what was left',
  noFuel: 'No fuel',
  noFuelTaken: 'No fuel taken',
  /** At a stop, on the screens of the team. */
  litresPlanned: 'Litres, planned',
  ofStop: (time: string) => `Stop of ${time}`,
  driverOut: (driver: string) => `${driver} out`,
  driverIn: (driver: string) => `${driver} in`,
  planned: (litres: string) => `Planned ${litres} L.`,
  plannedNone: 'No fuel is planned.',
  likely: (least: string, most: string) => `Likely ${least} to ${most} L.`,
  enterAmount: 'Enter the litres',
  partHolds: (litres: string) => `Then the tank holds about ${litres} L.`,
  pitInBecomes: (laps: string, reason: string) => `Pit in becomes ${laps} (${reason}).`,
  add: 'Add litres',
  save: 'Save',
  saveLitres: (litres: string) => `Save ${litres} L`,
  /** In one row with the driver, which has room for one kind. */
  saveShort: {
    part: (litres: string) => `Save ${litres}`,
    full: (litres: string) => `Save ${litres}, full`,
  },
  fullShort: (litres: string) => `Full, ${litres}`,
  /** At a stop: whether the tank is full after the litres. */
  kindShort: { part: 'Part', full: 'Full' },
  saveKind: {
    part: (litres: string) => `Save ${litres} L, part of a tank`,
    full: (litres: string) => `Save ${litres} L, full tank`,
  },
  cancel: 'Cancel',
  burnBecomes: (litres: string, plusMinus: string, fills: number) =>
    `The burn becomes ${litres} L a lap ±${plusMinus}, from ${fills === 1 ? '1 fill' : `${fills} fills`}.`,
  burnStays: (litres: string, plusMinus: string) =>
    `The burn stays ${litres} L a lap ±${plusMinus}.`,
  /** The litres entered as a full tank are not those that it lacks. */
  unlikelyFull: (litres: string) => `By the burn ${litres} L were missing. Is the tank full?`,
  noBurn: 'The burn is learned from the next fill.',
  noStart: 'To learn the burn from this fill, also enter how much was in the tank at the start.',
  enteredBy: (name: string) => `by ${name}`,
  entries: 'Entered so far',
  atStart: 'At the start',
  assumedFull: 'Full tank assumed',
  entry: (litres: number, kind: 'full' | 'part') =>
    litres === 0 ? 'No fuel' : kind === 'full' ? `${litres} L, full` : `${litres} L`,
  another: (entry: string, name = 'Somebody') =>
    `${name} has entered ${entry} at this stop. Add another fill?`,
  addAnother: 'Add another',
  changeLitres: 'Change',
  isNow: (entry: string) => `It is now ${entry}.`,
  change: (time: string) => `Change the fill of ${time}`,
  noLevel: 'Fuel at the start not entered',
  assumesFull: (litres: string) => `A full tank is assumed: ${litres} L.`,
  fullLevel: (car: string, litres: string) => `Full, ${litres} L at the start: car ${car}`,
  other: 'Other',
  otherLevel: (car: string) => `Other amount at the start: car ${car}`,
  changeStart: 'Change the fuel at the start',
  remove: (time: string) => `Remove the fill of ${time}`,
  startQuestion: 'How many litres were in the tank at the start?',
  changeQuestion: 'Correct the fill',
  assumeFull: 'Assume full',
  undo: 'Undo',
  removed: 'Fill removed',
  kept: 'Fuel at the start not changed',
  startEntered: (litres: string, name = 'Somebody') =>
    `${name} has entered ${litres} meanwhile. Change it again if it is wrong.`,
  startRemoved: 'Somebody has removed it meanwhile. Enter it again if it is known.',
  autoPit: 'Send PIT automatically in the lap of the stop',
}
