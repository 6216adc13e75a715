import type { Figures } from './figures.ts'
import { compare } from './load/compare.ts'
import { connect, startPitboard, startRivals, stopAll } from './load/contenders.ts'
import { withPostgres } from './load/postgres.ts'
import { memoryBytes } from './load/processes.ts'
import { connectionsAround } from './load/seed.ts'
import type { Bench } from './main.ts'

const watchers = 1000
/** Connections that drive the one car, because each may send only 50 fixes a second. */
const drivers = 45
/** Fixes in flight in the flood. */
const window = 32

export const bench: Bench = {
  question: 'deliveries per CPU second to 1,000 watchers of one car',
  run: () => withPostgres(fanOut),
}

async function fanOut(databaseUrl: string | undefined): Promise<Figures> {
  const { contender, seeded } = await startPitboard({ cars: 1, watching: watchers }, databaseUrl)
  const all = [contender]
  try {
    all.push(...(await startRivals()))
    const connections = connectionsAround(seeded, { count: 1, drivers, sampled: 10 })
    const figures: Figures = {}
    for (const each of all) {
      const before = memoryBytes(each.pids)
      await connect(each, connections)
      const grown = memoryBytes(each.pids) - before
      figures[`${each.name} KBPerConnection`] = Math.round(grown / connections.length / 100) / 10
    }
    return {
      ...figures,
      // Runs first: afterwards every server's code is compiled, which costs more than a steady round
      // itself.
      ...(await compare('flood', all, { pace: { window }, rounds: 5, seconds: 1 })),
      ...(await compare('steady', all, { pace: { hz: 10 }, rounds: 7, seconds: 2 })),
    }
  } finally {
    await stopAll(all)
  }
}
