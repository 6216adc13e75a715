import { part } from '../text.ts'

/** Stint and pit stop on the driver's screen. */
export const stintBoardText = part('stintBoard', {
  board: 'Stint',
  pitIn: 'PIT IN',
  pitNow: 'PIT NOW',
  unknown: '--',
  stint: 'Stint',
  left: 'left',
  yoursLeft: 'left for you',
  over: 'over',
  pitInMinutes: 'Pit in',
  minutes: (count: string) => `${count} min`,
  now: 'now',
})

declare module '../text.ts' {
  interface Text {
    readonly stintBoard: typeof stintBoardText
  }
}
