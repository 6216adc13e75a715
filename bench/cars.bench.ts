import { compare } from './load/compare.ts'
import { connect, startPitboard, startRivals, stopAll } from './load/contenders.ts'
import { withPostgres } from './load/postgres.ts'
import { openFilesLimit } from './load/processes.ts'
import { linesAround } from './load/seed.ts'
import type { Bench, Figures } from './main.ts'

const watchersPerCar = 4
const rounds = 5
/** Side by side with others, and then alone: so many lines to all of them would be too many beats. */
const comparedCars = [500, 1000]
const soloCars = [2500, 5000]
/** What a server has open besides its lines. */
const sparedFiles = 200

const steady = { pace: { hz: 1 }, rounds: 1, seconds: 3, warmUpS: 2 }
/** Each car sends as soon as its last fix has come. */
const flood = { pace: { window: 1 }, rounds, seconds: 1.5 }

export const bench: Bench = {
  question: 'how many deliveries a second of CPU makes, for many cars with 4 watchers each',
  run: () => withPostgres(compareCars),
}

async function compareCars(databaseUrl: string | undefined): Promise<Figures> {
  const solo = soloCars.map(atMost)
  const cars = Math.max(...solo)
  const size = { cars, watching: watchersPerCar }
  const { contender: ours, seeded } = await startPitboard(size, databaseUrl)
  const all = [ours]
  let connected = 0
  async function connectUpTo(end: number) {
    const added = { first: connected, count: end - connected }
    for (const each of all) await connect(each, linesAround(seeded, added))
    connected = end
  }
  try {
    all.push(...(await startRivals()))
    const figures: Figures = {}
    for (const now of comparedCars) {
      await connectUpTo(now)
      Object.assign(figures, await compare(`${now} cars`, all, steady))
    }
    Object.assign(figures, await compare(`${connected} cars flood`, all, flood))
    await stopAll(all.splice(1))
    for (const now of solo) {
      await connectUpTo(now)
      Object.assign(figures, await compare(`${now} cars`, all, steady))
    }
    return figures
  } finally {
    await stopAll(all)
  }
}

/** As many cars as the files allow that one process may have open. */
function atMost(cars: number): number {
  const limit = openFilesLimit()
  const possible = Math.floor((limit - sparedFiles) / (1 + watchersPerCar))
  if (cars <= possible) return cars
  console.log(`${possible} instead of ${cars} cars: a process may open ${limit} files (ulimit -n).`)
  return possible
}
