import { part } from '../text.ts'

/** Fuel, and the stint on the team's message screen. */
export const fuelText = part('fuel', {
  line: 'Stint and fuel',
  stint: 'Stint',
  stintLeft: 'Stint left',
  driverLeft: 'Driver left',
  pitIn: 'Pit in',
  inPits: 'In pits',
  doneIn: 'Done in',
  done: 'DONE',
  last: 'Last',
  laps: (count: number) => (count === 1 ? '1 lap' : `${count} laps`),
  now: 'now',
  minutes: (count: number) => `${count} min`,
  fuel: 'Fuel',
  fuelAt: (time: string) => `Fuel at ${time}`,
  start: 'start',
  reserve: 'Reserve',
  litres: (litres: string) => `${litres} L`,
  plusMinus: (litres: string) => `±${litres}`,
  refuel: 'Refuel',
  unknown: '--',

  question: 'How many litres went in?',
  amount: 'Litres',
  less: 'One litre less',
  more: 'One litre more',
  toFull: 'Filled to full',
  notFull: 'Not full',
  save: 'Save',
  cancel: 'Cancel',
  burnBecomes: (litres: string, plusMinus: string, fills: number) =>
    `Burn becomes ${litres} L a lap ±${plusMinus} from ${fills === 1 ? '1 fill' : `${fills} fills`}.`,
  burnStays: (litres: string, plusMinus: string) => `Burn stays ${litres} L a lap ±${plusMinus}.`,
  noBurn: 'Burn is learned from the next fill to full.',
  noStart: 'Enter the fuel at the start to learn the burn from this fill.',
  onlyFull: 'Only fills to full are used.',
  enteredBy: (name: string) => `by ${name}`,
  entries: 'Entered so far',
  atStart: 'At the start',
  assumedFull: 'Full tank assumed',
  carriedOver: 'Carried over',
  litresCarriedOver: (litres: string) => `${litres} L carried over`,
  entry: (litres: string, kind: 'full' | 'part') =>
    kind === 'full' ? `${litres} L, full` : `${litres} L`,
  another: (entry: string, name = 'Somebody') =>
    `${name} has entered ${entry} at this stop. Add another fill?`,
  addAnother: 'Add another',
  isNow: (entry: string) => `It is now ${entry}.`,
  change: (time: string) => `Change the fill of ${time}`,
  changeStart: 'Change the fuel at the start',
  remove: (time: string) => `Remove the fill of ${time}`,
  startQuestion: 'How many litres were in the tank at the start?',
  changeQuestion: 'Correct the fill',
  assumeFull: 'Assume full',
  useEarlier: 'As in the last session',
  undo: 'Undo',
  removed: 'Fill removed',
  failed: 'Fuel not saved',
  saved: 'Fuel saved',
  kept: 'Fuel at the start not changed',
  startEntered: (litres: string, name = 'Somebody') =>
    `${name} has entered ${litres} meanwhile. Change it again if it is wrong.`,
  startRemoved: 'Somebody has removed it meanwhile. Enter it again if it is known.',
  plan: 'Plan of the race',
  autoPit: 'Send PIT automatically one lap before the stop',
})

declare module '../text.ts' {
  interface Text {
    readonly fuel: typeof fuelText
  }
}
