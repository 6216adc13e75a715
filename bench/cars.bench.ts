import type { Figures } from './figures.ts'
import { compare } from './load/compare.ts'
import { connect, startPitboard, startRivals, stopAll } from './load/contenders.ts'
import { withPostgres } from './load/postgres.ts'
import { openFilesLimit } from './load/processes.ts'
import { oneAtATime } from './load/rounds.ts'
import { connectionsAround } from './load/seed.ts'
import type { Bench } from './main.ts'

const watchersPerCar = 4
const rounds = 5
const sizes = [500, 1000, 2500, 5000]
/** Number of cars in the flood. */
const flooded = 1000
/** Files a server has open in addition to its connections. */
const sparedFiles = 200

const steady = { pace: { hz: 1 }, rounds: 1, seconds: 2, warmUpS: 1.2 }
/** Each car keeps four fixes in flight. */
const flood = { pace: { window: 4 }, rounds, seconds: 1 }

export const bench: Bench = {
  question: 'deliveries per CPU second, for many cars with 4 watchers each',
  run: () => withPostgres(compareCars),
}

async function compareCars(databaseUrl: string | undefined): Promise<Figures> {
  const possible = [...new Set(sizes.map(atMost))]
  const size = { cars: Math.max(...possible), watching: watchersPerCar }
  const { contender: ours, seeded } = await startPitboard(size, databaseUrl)
  const all = [ours]
  try {
    all.push(...(await startRivals()))
    const figures: Figures = {}
    for (const [n, cars] of possible.entries()) {
      const first = possible[n - 1] ?? 0
      const added = connectionsAround(seeded, { first, count: cars - first })
      await oneAtATime(all, contender => connect(contender, added))
      Object.assign(figures, await compare(`${cars} cars`, all, steady))
      if (cars === flooded) Object.assign(figures, await compare(`${cars} cars flood`, all, flood))
    }
    return figures
  } finally {
    await stopAll(all)
  }
}

/** Limits the cars to the number of files that one process may have open. */
function atMost(cars: number): number {
  const limit = openFilesLimit()
  const possible = Math.floor((limit - sparedFiles) / (1 + watchersPerCar))
  if (cars <= possible) return cars
  console.log(
    `Using ${possible} instead of ${cars} cars: a process may open ${limit} files (ulimit -n).`,
  )
  return possible
}
