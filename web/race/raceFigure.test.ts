import { expect, test } from 'vitest'
import type { StoredCarRace } from '#contract/carRaces.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { exampleRace } from '#testing/exampleRace.ts'
import { carPhone, storedCarRace } from '#testing/storedCarRace.ts'
import { raceFigure } from './raceFigure.ts'

const lapMs = 100_000
const race = exampleRace({
  length: { in: 'laps', laps: 100 } as const,
  rules: { ...noRules, name: 'Zolder' },
  startedAt: 0,
})

/** Laps of a phone that crosses the line every 100 s. */
function lapsFrom(first: number, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    startedAt: (first + index) * lapMs,
    timeMs: lapMs,
    kind: 'full' as const,
    isSeen: true,
    yellow: false,
  }))
}

test('the lap of a race counts the laps of all phones of the car', () => {
  const valueOf = (more: Partial<StoredCarRace> = {}) =>
    raceFigure(carRaceOf(storedCarRace({ race, ...more })), 69 * 60_000)?.value
  expect(valueOf()).toBe('1:09:00')
  const phones = [
    carPhone({ laps: lapsFrom(0, 20) }),
    carPhone({ sessionId: 's2', startedAt: lapMs, laps: lapsFrom(20, 20) }),
  ]
  const runs: StoredCarRace['runs'] = [
    { sessionId: 's1', from: 0, until: 20 * lapMs, decidedBy: 'moved' },
    { sessionId: 's2', from: 20 * lapMs, until: null, decidedBy: 'moved' },
  ]
  expect(valueOf({ phones, runs })).toBe('41 of 100')
})

test('once the time of a race is up the clock says so', () => {
  const timed = { ...race, length: { in: 'time', ms: lapMs } as const }
  const at = (nowMs: number) => raceFigure(carRaceOf(storedCarRace({ race: timed })), nowMs)
  expect(at(lapMs - 1)).toEqual({ label: 'To go', value: '0:01' })
  expect(at(lapMs + 1)).toEqual({ label: 'Time up', value: '0:00' })
})

test('after a race in time the clock shows its length, whenever somebody pressed', () => {
  const after = (endedAt: number) => {
    const over = { ...race, length: { in: 'time', ms: 7 * 60_000 } as const, endedAt }
    return raceFigure(carRaceOf(storedCarRace({ race: over })), endedAt)
  }
  expect(after(525_000)).toEqual({ label: 'Race over', value: '7:00' })
  expect(after(300_000)?.value).toBe('5:00')
})

test('a car without a race has no such figure', () => {
  expect(raceFigure(carRaceOf(storedCarRace()), 0)).toBeNull()
})

test('the clock shows the planned start within a day of it', () => {
  const startsAt = new Date(2026, 10, 28, 14, 0).getTime()
  const carRace = carRaceOf(storedCarRace({ race: { ...race, startedAt: null, startsAt } }))
  expect(raceFigure(carRace, startsAt - lapMs)).toEqual({ label: 'Starts', value: '14:00' })
  expect(raceFigure(carRace, startsAt + lapMs)?.value).toBe('Not started')
  expect(raceFigure(carRace, startsAt - 3 * 24 * 3_600_000)?.value).toBe('Not started')
})
