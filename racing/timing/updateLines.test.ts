import { expect, test } from 'vitest'
import { standingsOf } from './standings.ts'
import { TimingFeed } from './timingFeed.ts'
import { linesOfUpdate, type Update } from './updateLines.ts'

/** The run on the track after these updates. */
function after(...updates: Update[]) {
  const feed = new TimingFeed()
  for (const update of updates) for (const line of linesOfUpdate(update)) feed.addLine(line)
  expect(feed.skippedLines).toBe(0)
  const run = feed.current()
  return run && { ...run, cars: standingsOf(run.cars) }
}

test('laps and total times are enough for the order, the gaps and the last laps', () => {
  const run = after(
    {
      run: 'Race 1',
      race: { flag: 'Green', timeToGoMs: 3_600_000, timeOfDay: '14:00:00' },
      cars: [
        { number: '17', class: 'GT', name: 'Ana "Speedy" Winter', laps: 1, totalMs: 120_000 },
        { number: '382', class: 'TC', laps: 1, totalMs: 123_250 },
      ],
    },
    { cars: [{ number: '382', laps: 2, totalMs: 240_000, bestMs: 116_750 }] },
    { race: { flag: 'Yellow', lapsToGo: 12 }, cars: [{ number: '17', laps: 2, totalMs: 241_004 }] },
  )
  expect(run).toMatchObject({
    name: 'Race 1',
    flag: { at: null, flag: 'Yellow' },
    timeToGoMs: null,
    lapsToGo: 12,
    cars: [
      { position: 1, number: '382', className: 'TC', laps: 2, bestMs: 116_750, toLeader: null },
      {
        position: 2,
        number: '17',
        className: 'GT',
        classPosition: 1,
        lastMs: 121_004,
        toAhead: { laps: 0, ms: 1004 },
      },
    ],
  })
})

test('positions of race control come before laps and total times', () => {
  const cars = [
    { number: '17', laps: 5, totalMs: 500_000, position: 2 },
    { number: '8', laps: 4, totalMs: 500_000, position: 1 },
    // Without a place of its own it has none.
    { number: '9', laps: 6, totalMs: 500_000 },
  ]
  expect(after({ cars })?.cars.map(({ number }) => number)).toEqual(['8', '17'])
})

test('a run ends by name or by null, and no flag is not the one before', () => {
  const first = { run: 'Race 1', race: { flag: 'Green' }, cars: [{ number: '17', laps: 3 }] }
  expect(after(first, { race: { flag: null } })).toMatchObject({ flag: { flag: null } })
  expect(after(first, { run: 'Race 1' })?.cars).toMatchObject([{ number: '17', laps: 3 }])
  expect(after(first, { run: 'Race 2', cars: [{ number: '9', laps: 1 }] })).toMatchObject({
    name: 'Race 2',
    flag: null,
    cars: [{ number: '9' }],
  })
  expect(after(first, { run: null })).toBeNull()
})

test('texts with commas, quotes and line ends stay within their line', () => {
  const text = 'a", "$B,95,""\r\n##x\u2028\0\ud800'
  const run = after({
    run: text,
    race: { flag: text },
    cars: [{ number: '17', class: text, name: text, laps: 1, totalMs: 60_000 }],
  })
  expect(run?.name).toBe(`a', ' B,95,'' ##x`)
  expect(run?.cars).toMatchObject([{ number: '17', className: run?.name, laps: 1 }])
})
