import { expect, test } from 'vitest'
import { DatabaseFile } from '../database.ts'
import { runRace } from './runRace.ts'

test('all clocks of a race are equal on all screens, through kills and reloads', async () => {
  const seed = Math.floor(Math.random() * 1e9)
  const hours = 0.25
  const { violations, counts } = await runRace({
    seed,
    file: await DatabaseFile.create(),
    hours,
    lapsPerStint: 4,
    checkEveryMs: 4500,
    accidentEveryMs: 40_000,
  })
  expect({ seed, violations }).toEqual({ seed, violations: [] })
  // Otherwise nothing was compared.
  for (const [what, least] of Object.entries({
    'raceLeftS compared': 500,
    'stintS compared': 150,
    'leftS compared': 500,
    'inPitsS compared': 5,
    'doneInS compared': 10,
    'driver changes': 3,
    'server kills': 1,
    'phone reloads': 1,
    'other reloads': 1,
    pauses: 2,
    visits: 3,
  }))
    expect(counts[what] ?? 0, `${what}, seed ${seed}`).toBeGreaterThanOrEqual(least)
})
