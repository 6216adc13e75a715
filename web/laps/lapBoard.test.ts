import { expect, test } from 'vitest'
import type { Lap } from '#contract/laps.ts'
import { currentLap, hasFinished, raceResult } from '#racing/race/raceResult.ts'
import { drivenCar } from '#testing/drivenCar.ts'
import { exampleRace } from '#testing/exampleRace.ts'
import { lap } from '#testing/lap.ts'
import { atFinish, type LapState, lapBoardOf, withRaceLap } from './lapBoard.ts'

const out = lap(0, 130, { kind: 'out' })
const driven = [out, lap(1, 112.8), lap(2, 112.6), lap(3, 112.3)]

function board(laps: readonly Lap[], values: Partial<LapState> = {}) {
  return lapBoardOf({
    laps,
    gpsPoor: false,
    comparison: { with: 'average', targetMs: null },
    tenths: undefined,
    stopped: null,
    ...values,
  })
}

const best = { with: 'best', targetMs: null } as const

test('there is nothing to show before the first whole lap', () => {
  expect(board([])).toBeNull()
  expect(board([out])).toBeNull()
  expect(board([out, lap(1, 112.4)])).toMatchObject({ time: '1:52.4', lap: 'Lap 1' })
})

test('a lap into the pits is the last one also before a full lap', () => {
  const into = lap(1, 162.4, { kind: 'in', endsAtLine: true })
  expect(board([out, into])).toMatchObject({ time: '2:42.4', kind: 'in' })
})

test('a stop of lap timing is shown where no further lap gives a delta', () => {
  const stopped = 'laps-too-short'
  const note = {
    tone: 'note',
    title: 'Lap timing stopped',
    text: 'The laps are shorter than 5\u00a0s.',
  }
  expect(board([], { stopped })).toMatchObject({ time: '--', delta: note })
  expect(board(driven, { stopped })).toMatchObject({ time: '1:52.3', delta: note })
  expect(board(driven, { stopped, tenths: -4 })?.delta).toMatchObject({ figure: '−0.4' })
})

test('the last lap is compared with the average from the third full lap on', () => {
  const note = { tone: 'note', title: 'No average yet', text: 'From the third full lap' }
  expect(board(driven.slice(0, 3))?.delta).toEqual(note)
  expect(board(driven)?.delta).toEqual({
    tone: 'faster',
    figure: '−0.3',
    word: 'faster',
    than: 'than average',
    isCurrent: false,
  })
})

test('the last lap is compared with the best one before it', () => {
  expect(board(driven.slice(0, 2), { comparison: best })?.delta).toMatchObject({
    title: 'No best lap yet',
  })
  expect(board(driven, { comparison: best })?.delta).toMatchObject({
    figure: '−0.3',
    than: 'than best',
  })
  expect(board([...driven, lap(4, 112.7)], { comparison: best })?.delta).toMatchObject({
    tone: 'slower',
    figure: '+0.4',
  })
})

test('a target needs no other lap', () => {
  const comparison = { with: 'target', targetMs: 112_800 } as const
  expect(board(driven.slice(0, 2), { comparison })?.delta).toEqual({
    tone: 'level',
    figure: '0.0',
    word: 'level',
    than: 'with target',
    isCurrent: false,
  })
})

test('within a lap the delta of the last point counts', () => {
  expect(board(driven, { tenths: 4 })?.delta).toMatchObject({
    tone: 'slower',
    figure: '+0.4',
    isCurrent: true,
  })
  expect(board(driven, { tenths: -99 })?.delta).toMatchObject({ figure: '−9.9' })
  expect(board(driven, { tenths: 124 })?.delta).toMatchObject({ figure: '+12' })
  expect(board(driven, { tenths: null })?.delta).toEqual({ tone: 'blank' })
})

test.each([
  [{ yellow: true, yellowMessage: 'FCY' } as const, 'Last lap had an FCY.'],
  [{ yellow: true, yellowMessage: 'SC' } as const, 'Last lap had an SC.'],
  [{ yellow: true, yellowMessage: 'Code 60' } as const, 'Last lap had a Code 60.'],
  [{ yellow: true, yellowFlag: 'Yellow' } as const, 'Official flag in it: Yellow.'],
  [{ yellow: true, marked: true } as const, 'The team marked it yellow.'],
  [{ kind: 'pit' } as const, 'Last lap had a stop.'],
  [{ isSeen: false } as const, 'There was no GPS at the line.'],
])('a lap with %o is not compared', (values, text) => {
  const { delta, time } = board([...driven, lap(4, 151.8, values)])!
  expect(delta).toEqual({ tone: 'note', title: 'Not compared', text })
  expect(time).toBe('isSeen' in values ? '--' : '2:31.8')
})

test('a lap into or out of the pits is the last lap, named so and not compared', () => {
  const into = lap(4, 137.1, { kind: 'in', endsAtLine: true })
  const outOf = lap(5, 91.6, { kind: 'out' })
  const note = (text: string) => ({ tone: 'note', title: 'Not compared', text })
  expect(board([...driven, into])).toMatchObject({
    time: '2:17.1',
    lap: 'Lap 4, in',
    delta: note('Last lap ended in the pits.'),
  })
  expect(board([...driven, into, outOf])).toMatchObject({
    time: '1:31.6',
    lap: 'Lap 5, out',
    delta: note('Last lap was an out lap.'),
  })
  const stillIn = lap(4, 60, { kind: 'in' })
  expect(board([...driven, stillIn])).toMatchObject({ lap: 'Lap 3' })
})

test('in a race the last lap has the number before the one on the wall', () => {
  const shown = board([...driven, lap(4, 91.6, { kind: 'out' })])!
  const started = { race: { startedAt: 1 } }
  const laps = [2, 3].map(number => ({ ...lap(number, 100), sessionId: 'phone' }))
  const withRace = (race: { startedAt: number | null } | null) =>
    withRaceLap(shown, { race, laps }).lap
  expect(withRace(started.race)).toBe('Lap 3, out')
  expect(withRace({ startedAt: null })).toBe('Lap 4, out')
  expect(withRace(null)).toBe('Lap 4, out')
  expect(withRaceLap(shown, { ...started, laps: [] }).lap).toBe('')
})

test('after the finish of a race the driver reads its laps and its last lap', () => {
  const into = lap(4, 160, { kind: 'in', endsAtLine: true })
  const laps = [1, 2, 3].map(number => lap(number, 100, { startedAt: number * 100_000 - 100_000 }))
  const length = { in: 'laps', laps: 3 } as const
  const race = exampleRace({ length, startedAt: 0 })
  const inLap = lap(0, 160, { kind: 'in', startedAt: 300_000, endsAtLine: true })
  const car = { ...drivenCar({ laps: [...laps, inLap] }), race }
  expect(hasFinished(car)).toBe(true)
  const shown = withRaceLap(atFinish(board([...driven, into])!, car.laps), car)
  expect(shown).toMatchObject({ time: '1:40.0', delta: { tone: 'blank' } })
  expect(shown.lap).toBe(`Lap ${currentLap(car)}`)
  expect(raceResult([{ id: '17', carRace: car }])[0]?.laps).toBe(currentLap(car))
})

test('after the finish only the last lap of the race has a delta', () => {
  const inLap = board(driven, { tenths: 4 })!
  const { laps } = drivenCar({ laps: driven })
  expect(atFinish(inLap, laps)).toEqual({ ...inLap, delta: { tone: 'blank' } })
  const finished = board(driven)!
  expect(atFinish(finished, laps)).toBe(finished)
})

test('with poor GPS laps are counted, and their times are approximate', () => {
  expect(board(driven, { gpsPoor: true, tenths: 2 })).toEqual({
    time: '~1:52',
    lap: 'Lap 3',
    kind: 'full',
    isPoor: true,
    delta: {
      tone: 'note',
      title: 'GPS too poor for lap times',
      text: 'Laps are counted. Times are approximate.',
    },
  })
})
