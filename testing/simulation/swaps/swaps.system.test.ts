import { test } from 'vitest'
import { DatabaseFile } from '../database.ts'
import { runServerSwaps } from './runServerSwaps.ts'

test('xx', async () => {
  const seed = Number(process.env.SEED ?? 1)
  const t = performance.now()
  const { violations, counts, cpuMs } = await runServerSwaps({
    seed,
    file: await DatabaseFile.create(),
    stops: Number(process.env.STOPS ?? 3),
    killEveryMs: Number(process.env.KILL ?? 180_000),
  })
  console.log(counts, cpuMs, performance.now() - t)
  console.log(violations.map(v => v.slice(0, 1500)).join('\n'))
})
