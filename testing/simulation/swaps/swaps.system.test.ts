import { expect, test } from 'vitest'
import { DatabaseFile } from '../database.ts'
import { runServerSwaps } from './runServerSwaps.ts'

const least = {
  portions: 50,
  'server kills': 3,
  steps: 2,
  orders: 2,
  'orders with known addressees': 1,
}

test.each([
  { name: 'the server', seed: 3, nodes: 1, counted: least },
  {
    name: 'one of two nodes',
    seed: 3,
    nodes: 2,
    counted: { ...least, 'outages of the bus': 3 },
  },
])(
  'phones change in a car while $name is killed',
  async ({ seed, nodes, counted }) => {
    const { violations, counts } = await runServerSwaps({
      seed,
      file: await DatabaseFile.create(),
      stops: 3,
      killEveryMs: 180_000,
      nodes,
    })
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    // Otherwise nothing was compared.
    for (const [what, times] of Object.entries(counted))
      expect(counts[what] ?? 0, `${what}, seed ${seed}`).toBeGreaterThanOrEqual(times)
  },
  120_000,
)
