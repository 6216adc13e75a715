import { part } from '../text.ts'

export const wallText = part('wall', {
  title: 'Pit wall',
  loading: 'Loading the cars',
  failed: 'The cars did not load',
  cars: (team: string, count: number) => `${team}, ${count} ${count === 1 ? 'car' : 'cars'}`,
  noCars: 'No car is driving',
  noCarsText: "Start a race session on the driver's phone.",
  lanes: 'Cars',
  sinceStart: 'since the start',

  car: (number: string) => `Car ${number}`,
  choose: (name: string) => `Choose ${name}`,
  openCar: (name: string) => `Messages to ${name}`,

  online: (age: string) => `Online ${age}`,
  offline: (age: string) => `Offline ${age}`,
  offlineNever: 'No contact yet',
  screenOff: (age: string) => `Screen off ${age}`,
  left: (age: string) => `Left the screen ${age}`,
  inPits: (time: string) => `In pits ${time}`,
  doneIn: (time: string) => `done in ${time}`,
  done: 'DONE',
  gps: (metres: string) => `, GPS \u00b1${metres} m`,

  noMessage: 'No message',
  onScreen: (took: string) => `On screen ${took}`,
  notDelivered: 'Not delivered',
  onPhone: (age: string) => `On phone ${age}`,
  sending: 'Sending...',
  sent: (age: string) => `Sent ${age} ago`,
  noAnswer: (age: string) => `No answer ${age}`,
  acknowledged: 'Acknowledged',
  notSent: (plate: string) => `${plate} was not sent`,

  last: (lap: string) => `Last, lap ${lap}`,
  lastPoor: 'Last, GPS poor',
  lastNone: 'Last',
  notTimed: 'No lap timing',
  best: 'Best',
  average: 'Average 10',
  averageShort: 'Avg',
  lap: 'Lap',
  lastTen: 'Last 10',
  bars: (faster: number, slower: number, not: number) =>
    `Last ${faster + slower + not} laps: ${faster} faster, ${slower} slower, ${not} not compared`,
  noTime: '--',
  stint: 'Stint',
  stintLeft: 'Stint left',
  driverLeft: 'Driver left',
  pitIn: 'Pit in',
  minutes: 'min',

  gapTo: (plate: string) => `to ${plate}`,
  /** Before an estimated gap. */
  about: '\u2248\u00a0',
  /** For screen readers. */
  estimated: 'Estimated',
  laps: (count: number) => `${count} ${count === 1 ? 'lap' : 'laps'}`,

  map: 'Map',
  mapOf: (circuit: string, count: number) =>
    `${circuit} with ${count} ${count === 1 ? 'car' : 'cars'}`,
  noMap: 'The map appears when a car is on a circuit.',

  events: 'Events',
  noEvents: 'Messages, laps and lost contacts appear here.',
  event: {
    lap: (lap: string) => `Lap ${lap}`,
    onScreen: (took: string) => `, on screen ${took}`,
    acknowledged: ', acknowledged',
    notDelivered: ', not delivered',
    to: (question: string) => ` to ${question}`,
    driver: 'Driver',
    inPits: 'In pits',
    leftPits: 'Left the pits',
    offline: 'Offline',
    online: 'Online again',
    screenOff: 'Screen off',
  },

  sendTo: 'Send to',
  chooseCar: 'The session of the chosen car has ended. Choose a car to send to.',
  sendToCar: (name: string) => `Send to ${name}`,
  driver: 'Driver',
  help: 'Keyboard shortcuts',
  to: 'to',
  choosesCar: 'choose a car',
  stepsCar: 'previous and next car',
  shift: 'Shift',
  shiftAnd: (letter: string) => `\u21e7${letter}`,
  asks: 'with a letter asks the message',
  opensHelp: 'this list',
  up: '\u2191',
  down: '\u2193',
  keysOn: 'Keys on',
  keysOff: 'Keys off',
  shortcuts: 'Keyboard shortcuts on or off',
})

declare module '../text.ts' {
  interface Text {
    readonly wall: typeof wallText
  }
}
