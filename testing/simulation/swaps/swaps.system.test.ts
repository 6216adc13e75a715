import { expect, test } from 'vitest'
import { DatabaseFile } from '../database.ts'
import { runServerSwaps } from './runServerSwaps.ts'

test('phones change in a car while the server is killed', async () => {
  const seed = 3
  const { violations, counts } = await runServerSwaps({
    seed,
    file: await DatabaseFile.create(),
    stops: 3,
    killEveryMs: 180_000,
  })
  expect({ seed, violations }).toEqual({ seed, violations: [] })
  // Otherwise nothing was compared.
  for (const [what, least] of Object.entries({
    portions: 50,
    'server kills': 3,
    steps: 2,
    orders: 2,
    'orders with known addressees': 1,
  }))
    expect(counts[what] ?? 0, `${what}, seed ${seed}`).toBeGreaterThanOrEqual(least)
}, 120_000)
