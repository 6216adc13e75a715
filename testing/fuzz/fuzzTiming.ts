import type { Standing } from '#racing/timing/timingFeed.ts'
import { seeded } from '../drives.ts'
import { FuzzRecord } from './record.ts'
import { type TimingKind, timingKinds } from './timingKinds.ts'

/** Milliseconds of the processor for one input. */
const longestMs = 2000

/** The most cars that a feed has. */
const mostCars = 2000

interface Options {
  readonly seed: number
  readonly cases: number
  readonly onCase?: (tried: number) => void
}

/**
 * Reads mutated inputs of every kind by which official timing arrives. Expected is a state of finite values and bounded
 * size, in bounded time. Case N of a seed is the first one of seed + N.
 */
export function fuzzTiming({ seed, cases, onCase }: Options): FuzzRecord {
  const record = new FuzzRecord()
  for (let index = 0; index < cases; index++) {
    for (const kind of timingKinds) tryOne(record, kind, seed + index)
    if (index % 1000 === 0) onCase?.(index)
  }
  return record
}

function tryOne(record: FuzzRecord, kind: TimingKind, seed: number) {
  const { name } = kind
  const counts = record.of(name)
  const random = seeded(seed)
  for (let skipped = 0; skipped < 5; skipped++) random()
  const input = kind.input(random)
  const started = process.cpuUsage()
  counts.tried += 1
  try {
    const state = kind.read(input, random)
    if (!state || state.skippedLines > 0) counts.refused += 1
    else counts.accepted += 1
    for (const { standings } of state?.sessions() ?? []) requireBounded(standings)
  } catch (error) {
    const what = error instanceof Error ? `${error.stack}` : String(error)
    record.violate(name, what, `seed ${seed}: ${input}`)
  }
  const tookMs = process.cpuUsage(started).user / 1000
  if (tookMs > longestMs) record.violate(name, `took ${Math.round(tookMs)} ms`, `seed ${seed}`)
}

function requireBounded(standings: readonly Standing[]) {
  if (standings.length > mostCars) throw new Error(`${standings.length} cars`)
  for (const { position, laps, totalMs, bestMs } of standings)
    for (const value of [position, laps ?? 0, totalMs ?? 0, bestMs ?? 0])
      if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a whole number.`)
}
