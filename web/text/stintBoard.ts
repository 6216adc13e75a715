/** Stint and pit stop on the driver's screen. */
export const stintBoardText = {
  board: 'Stint',
  pitIn: 'PIT IN',
  pitNow: 'PIT NOW',
  stint: 'Stint',
  left: 'left',
  minutesLeft: 'min left',
  yoursLeft: 'left for you',
  over: 'over',
  pitInMinutes: 'Pit in',
  minutes: (count: string) => `${count} min`,
  now: 'now',
}
