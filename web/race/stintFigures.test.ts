import { expect, test } from 'vitest'
import { exampleCar } from '#testing/exampleRace.ts'
import { storedCarRace } from '#testing/storedCarRace.ts'
import { stintFigures } from './stintFigures.ts'

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
