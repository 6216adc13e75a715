import { test } from 'vitest'
import { runSwaps } from './runSwaps.ts'

const seeds = Array.from(
  { length: Number(process.env.SEEDS ?? 10) },
  (_, seed) => seed + Number(process.env.FIRST ?? 0),
)

test('xx', () => {
  const counts: Record<string, number> = {}
  const failed: string[] = []
  let t = performance.now()
  for (const seed of seeds) {
    const result = runSwaps(seed, 10)
    for (const [what, count] of Object.entries(result.counts))
      counts[what] = (counts[what] ?? 0) + count
    for (const v of result.violations.slice(0, 4))
      failed.push(`${seed}: ${v.slice(0, Number(process.env.LONG ?? 300))}`)
  }
  console.log(counts, (performance.now() - t) / 1000)
  console.log(failed.length + '\n' + failed.slice(0, 30).join('\n'))
})
