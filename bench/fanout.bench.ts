import type { Figures } from './figures.ts'
import { compare } from './load/compare.ts'
import { connect } from './load/contenders.ts'
import { type LineUp, withLineUp } from './load/lineUp.ts'
import { memoryBytes } from './load/processes.ts'
import { connectionsAround } from './load/seed.ts'
import type { Bench, BenchOptions } from './main.ts'

const watchers = 1000
/** Connections that drive the one car, because each may send only 50 fixes a second. */
const drivers = 45
/** Driving before the measurement: at least one whole lap. */
const historyS = 300
/** Fixes in flight in the flood. */
const window = 32

/** The flood runs first, so that every server's code is compiled: that costs more than a steady round itself. */
const rows = {
  flood: { pace: { window }, rounds: 5, seconds: 1 },
  steady: { pace: { hz: 10 }, rounds: 7, seconds: 2 },
}

export const bench: Bench = {
  question: 'deliveries per CPU second to 1,000 watchers of one car',
  run: options =>
    withLineUp({ cars: 1, watching: watchers }, options, lineUp => fanOut(lineUp, options)),
}

async function fanOut(
  { all, seededOf }: LineUp,
  { row = '', rounds }: BenchOptions,
): Promise<Figures> {
  const figures: Figures = {}
  for (const each of all) {
    const connections = connectionsAround(seededOf(each), { count: 1, drivers, sampled: 10 })
    const before = memoryBytes(each.pids)
    await connect(each, connections)
    const grown = memoryBytes(each.pids) - before
    figures[`${each.name} KBPerConnection`] = Math.round(grown / connections.length / 100) / 10
    if (each.seeded) await each.generator.catchUp(historyS)
  }
  for (const [name, plan] of Object.entries(rows)) {
    if (!name.includes(row)) continue
    Object.assign(figures, await compare(name, all, { ...plan, rounds: rounds ?? plan.rounds }))
  }
  return figures
}
