/** Stint and pit stop on the driver's screen. */
export const stintBoardText = {
  board: 'Stint',
  pitIn: 'PIT IN',
  pitNow: 'PIT NOW',
  toGo: 'TO GO',
  finish: 'FINISH',
  /** Below the laps to the finish, which the car reaches. */
  noStop: 'no stop',
  save: (litres: string) => `save ${litres} L`,
  stint: 'Stint',
  left: 'left',
  minutesLeft: 'min left',
  yoursLeft: 'left for you',
  over: 'over',
  pitInMinutes: 'Pit in',
  minutes: (count: string) => `${count} min`,
  now: 'now',
}
