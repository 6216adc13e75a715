import { expect, test } from 'vitest'
import { type YellowTimes, yellowOf, yellowPeriods } from './yellow.ts'

const none: YellowTimes = { messages: [], seen: [], entered: [], marksMs: [] }
const fcy = { type: 'FCY' as const, fromMs: 150_000, untilMs: null }

/** Returns why each of four laps of 100 s is yellow. */
function laps(times: Partial<YellowTimes>) {
  const periods = yellowPeriods({ ...none, ...times })
  return [0, 1, 2, 3].map(number => {
    const lap = { startedAt: number * 100_000, timeMs: 100_000 }
    const { yellow, yellowFlag, yellowMessage, marked } = yellowOf(lap, periods)
    const why = [yellowFlag, yellowMessage, marked ? 'marked' : null].filter(each => each !== null)
    expect(yellow).toBe(why.length > 0)
    return why.join(' ')
  })
}

test('without official flags messages and marks make laps yellow', () => {
  expect(laps({ messages: [fcy], marksMs: [50_000] })).toEqual(['marked', 'FCY', 'FCY', 'FCY'])
})

test('laps under the official flag are yellow, with or without a message', () => {
  const seen = [
    { flag: 'Green', fromMs: 0, seenMs: 250_000 },
    { flag: 'Red', fromMs: 251_000, seenMs: 260_000 },
    { flag: 'Green', fromMs: 261_000, seenMs: 400_000 },
  ]
  expect(laps({ seen })).toEqual(['', '', 'Red', ''])
  expect(laps({ seen, messages: [fcy] })).toEqual(['', '', 'Red', ''])
  expect(laps({ seen, messages: [fcy], marksMs: [100_000] })).toEqual(['', 'marked', 'Red', ''])
})

test('a message counts where no official flag is known', () => {
  const green = (fromMs: number, seenMs: number) => ({ flag: 'Green', fromMs, seenMs })
  expect(laps({ messages: [fcy], seen: [green(0, 294_000)] })).toEqual(['', '', 'FCY', 'FCY'])
  expect(laps({ messages: [fcy], seen: [green(0, 295_000)] })).toEqual(['', '', '', 'FCY'])
  expect(laps({ messages: [fcy], seen: [green(200_000, 400_000)] })).toEqual(['', 'FCY', '', ''])
  const pause = [green(0, 300_000), green(330_000, 400_000)]
  expect(laps({ messages: [fcy], seen: pause })).toEqual(['', '', '', 'FCY'])
})

test('a flag by hand decides until the next one, or until a later message', () => {
  const entered = [
    { flag: 'Code 60', at: 210_000 },
    { flag: 'Green', at: 220_000 },
  ]
  expect(laps({ entered, messages: [fcy] })).toEqual(['', 'FCY', 'Code 60 FCY', ''])
  expect(laps({ entered: [{ flag: 'Green', at: 0 }], messages: [fcy] })).toEqual([
    '',
    'FCY',
    'FCY',
    'FCY',
  ])
})
