/** Texts about the data link of a car, and those shown while it is off. */
export const dataLinkText = {
  car: 'Data link off by the rules of this series',
  onGlass: 'Data link off by the rules',
  nothingFromCar: 'No orders, no PROBLEM.',
  team: 'The data link to this car is off',
  title: 'Data link',
  isOff: 'Data link off',
  isOnAgain: 'Data link on',
  since: (time: string, by: string | null) =>
    by === null ? `Since ${time}.` : `By ${by} since ${time}.`,
  nothingReaches: 'Nothing reaches this car, ABORT included.',
  isOn: 'Position, speed and messages go between the car and the team.',
  off: 'Switch the data link off',
  on: 'Switch the data link on',
  onShort: 'Switch on',
  confirm: {
    off: {
      title: 'Switch the data link off?',
      text: 'For series that forbid it. No position, speed or message goes either way, ABORT included, and the message on the screen is cleared. Clocks, stints and fuel can still be entered.',
      cancelLabel: 'Keep it on',
      confirmLabel: 'Hold to switch off',
    },
    on: {
      title: 'Switch the data link on?',
      text: 'Position, speed and messages go between the car and the team again. A series that forbids it may exclude the car.',
      cancelLabel: 'Keep it off',
      confirmLabel: 'Hold to switch on',
    },
  },
  failed: 'Not changed',
}
