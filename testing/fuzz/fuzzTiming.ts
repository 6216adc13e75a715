import type { Standing } from '#racing/timing/run.ts'
import { randomOfCase } from './mutations.ts'
import { type FuzzCases, FuzzRecord } from './record.ts'
import { type TimingKind, timingKinds } from './timingKinds.ts'

/** Milliseconds of the processor for one input. */
const longestMs = 2000

/** The most cars that a feed has. */
const mostCars = 2000

/**
 * Reads mutated inputs of every kind by which official timing arrives. Expected is a state of finite values and bounded
 * size, in bounded time. Case N of a seed is the first one of seed + N.
 */
export function fuzzTiming({ seed, cases, onCase }: FuzzCases): FuzzRecord {
  const record = new FuzzRecord()
  for (let index = 0; index < cases; index++) {
    for (const kind of timingKinds) tryOne(record, kind, seed + index)
    if (index % 1000 === 0) onCase?.(index)
  }
  return record
}

function tryOne(record: FuzzRecord, { name, input, read }: TimingKind, seed: number) {
  const random = randomOfCase(seed)
  const text = input(random)
  record.try(name, `seed ${seed}: ${text}`, longestMs, () => {
    const state = read(text, random)
    for (const { standings } of state?.sessions() ?? []) requireBounded(standings)
    return state !== null && state.skippedLines === 0
  })
}

function requireBounded(standings: readonly Standing[]) {
  if (standings.length > mostCars) throw new Error(`${standings.length} cars`)
  for (const { position, laps, totalMs, bestMs } of standings)
    for (const value of [position, laps ?? 0, totalMs ?? 0, bestMs ?? 0])
      if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a whole number.`)
}
