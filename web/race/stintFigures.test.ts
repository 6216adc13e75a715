import { expect, test } from 'vitest'
import { noRules } from '#contract/shared/raceRules.ts'
import { exampleCar, exampleRace } from '#testing/exampleRace.ts'
import { storedCarRace } from '#testing/storedCarRace.ts'
import { dueFigures, stintFigures } from './stintFigures.ts'

const lapMs = 99_000
const untilLine = { isSeen: true, yellow: false }
const laps = [
  { ...untilLine, sessionId: 's1', number: 1, startedAt: 0, timeMs: lapMs, kind: 'full' as const },
  {
    ...untilLine,
    sessionId: 's1',
    number: 2,
    startedAt: lapMs,
    timeMs: 175_700,
    kind: 'in' as const,
    endsAtLine: true as const,
  },
  {
    ...untilLine,
    sessionId: 's1',
    number: 3,
    startedAt: lapMs + 175_700,
    timeMs: 108_800,
    kind: 'out' as const,
  },
]

test('the last lap is also one into or out of the pits', () => {
  const race = { ...storedCarRace({ car: exampleCar() }), laps, visits: [] }
  const last = (count: number, gpsPoor = false) => {
    const known = { ...race, laps: laps.slice(0, count) }
    return stintFigures(known, { lapTiming: true, gpsPoor }, 500_000)?.last
  }
  expect(last(0)).toBeNull()
  expect(last(1)).toEqual({ name: 'Last', value: '1:39.0' })
  expect(last(2)).toEqual({ name: 'Last, in', value: '2:55.7' })
  expect(last(3)).toEqual({ name: 'Last, out', value: '1:48.8' })
  expect(last(3, true)).toEqual({ name: 'Last, out', value: '~1:49' })
})

test('after the race the line shows no stop, and names a required one that is missing', () => {
  const visits = [{ startedAt: 390_000, endedAt: null, stoppedAt: 400_000, leftAt: null }]
  const shown = (count: number) => {
    const rules = { ...noRules, stops: { kind: 'count' as const, count } }
    const race = exampleRace({ startedAt: 0, endedAt: 450_000, rules })
    const plan = { driverIds: [], stopMs: null, lapMs, stints: [] }
    const stored = { ...storedCarRace({ car: exampleCar(), race, plan }), laps, visits }
    return stintFigures(stored, { lapTiming: true, gpsPoor: false }, 500_000)?.pit
  }
  expect(shown(0)).toEqual({ name: 'Race', value: 'Over', warns: false })
  expect(shown(1)).toEqual({ name: '1 stop missing', value: 'Over', warns: false })
})

test('the last lap before a stop and a stint over its limit warn, as on the wall', () => {
  const rules = { ...noRules, maxStintMs: 3 * lapMs }
  const race = exampleRace({ startedAt: 0, rules })
  const stored = { ...storedCarRace({ car: exampleCar(), race }), visits: [] }
  const shown = (count: number) => {
    const driven = Array.from({ length: count }, (_, index) => ({
      ...untilLine,
      sessionId: 's1',
      number: index + 1,
      startedAt: index * lapMs,
      timeMs: lapMs,
      kind: 'full' as const,
    }))
    const figures = stintFigures(
      { ...stored, laps: driven },
      { lapTiming: true, gpsPoor: false },
      (count + 0.5) * lapMs,
    )
    return {
      figures: [figures?.stint, figures?.pit].map(figure => figure && [figure.value, figure.warns]),
      due: figures && dueFigures(figures).map(({ value }) => value),
    }
  }
  expect(shown(0)).toEqual({
    figures: [
      ['4:08', false],
      ['4 min', false],
    ],
    due: [],
  })
  expect(shown(2)).toEqual({
    figures: [
      ['0:50', false],
      ['now', true],
    ],
    due: ['now'],
  })
  expect(shown(3)).toEqual({
    figures: [
      ['\u22120:49', true],
      ['this lap', true],
    ],
    due: ['this lap', '\u22120:49'],
  })
})

test('a reserve and missing litres are due', () => {
  const fuel = { name: 'Reserve', litres: '2 L', more: null, isAssumed: false }
  const calm = { name: 'Stint', value: '0:50', warns: false }
  const due = (isReserve: boolean, isMissing: boolean) =>
    dueFigures({
      stint: calm,
      pit: calm,
      last: null,
      fuel: { ...fuel, isReserve, isMissing },
    }).map(({ value }) => value)
  expect(due(false, false)).toEqual([])
  expect(due(true, false)).toEqual(['2 L'])
  expect(due(false, true)).toEqual(['2 L'])
})
