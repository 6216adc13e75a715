import { expect, test } from 'vitest'
import { noRules } from '#contract/shared/raceRules.ts'
import { raceFigure } from './raceFigure.ts'

test('the lap of a race contains laps of earlier sessions of the car', () => {
  const race = {
    id: 'race',
    name: 'Zolder 100 laps',
    length: { in: 'laps', laps: 100 } as const,
    rules: { ...noRules, name: 'Zolder' },
    carIds: [],
    startedAt: 0,
    pauses: [],
    endedAt: null,
  }
  const valueOf = (earlierLaps?: number) =>
    raceFigure(race, { laps: [], visits: [], earlierLaps }, 69 * 60_000).value
  expect(valueOf()).toBe('1:09:00')
  expect(valueOf(40)).toBe('41 of 100')
})
