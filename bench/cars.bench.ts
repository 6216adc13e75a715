import { greatestOf } from '#contract/shared/extremes.ts'
import type { Figures } from './figures.ts'
import { compare } from './load/compare.ts'
import { connect } from './load/contenders.ts'
import { type LineUp, withLineUp } from './load/lineUp.ts'
import { openFilesLimit, untilIdle } from './load/processes.ts'
import { inTurns, oneAtATime, type Rounds } from './load/rounds.ts'
import { connectionsAround } from './load/seed.ts'
import type { Bench, BenchOptions } from './main.ts'

const watchersPerCar = 4
const sizes = [500, 1000, 2500, 5000]
/** Number of cars in the flood. */
const flooded = 1000
/** Share of the limit of open files that is left for connections: scripts and databases use the rest. */
const usableShare = 0.88

/**
 * The warm-up covers the work that became due during the pause of a server, including the laps and notifications of our
 * cars. A round contains each check that our server makes every 5 s, and the heartbeat that a fix of each car carries.
 */
const steady = { pace: { hz: 1 }, rounds: 3, seconds: 5, warmUpS: 8 }
/** Each car keeps four fixes in flight. */
const flood = { pace: { window: 4 }, rounds: 5, seconds: 1 }
/**
 * Past driving of added cars that our server receives before the measurement. During a car's first 1.1 laps, which take
 * 110 s, its direction is searched, which costs more.
 */
const historyS = 130
/** Watchers that connect between two short drives of our cars: a car silent for a minute would notify its team. */
const connectedBetweenDrives = 2000
const shortDrive = { pace: { hz: 1 }, warmUpS: 0, seconds: 1 }
/** Warm-up of added cars. */
const beginning = { pace: { hz: 1 }, rounds: 1, seconds: 6 }

export const bench: Bench = {
  question: 'deliveries per CPU second, for many cars with 4 watchers each',
  run(options) {
    const { row = '' } = options
    const all = [...new Set(sizes.map(atMost))].flatMap(cars => [
      { name: `${cars} cars`, cars, plan: steady },
      ...(cars === flooded ? [{ name: `${cars} cars flood`, cars, plan: flood }] : []),
    ])
    const rows = all.filter(({ name }) => row === '' || name === row)
    if (rows.length === 0)
      throw new Error(`There is no row ${row}, only ${all.map(({ name }) => name).join(', ')}.`)
    const size = { cars: greatestOf(rows.map(({ cars }) => cars)), watching: watchersPerCar }
    return withLineUp(size, options, lineUp => compareCars(rows, lineUp, options))
  },
}

interface Row {
  name: string
  cars: number
  plan: Rounds
}

async function compareCars(
  rows: Row[],
  { all, seededOf }: LineUp,
  { rounds }: BenchOptions,
): Promise<Figures> {
  const figures: Figures = {}
  let first = 0
  for (const { name, cars, plan } of rows) {
    if (cars > first) {
      // Our server connects last, so that its cars are not silent for a minute while the others connect.
      await oneAtATime(all.toReversed(), async each => {
        const orders = connectionsAround(seededOf(each), { first, count: cars - first })
        await connect(
          each,
          orders.filter(({ drives }) => drives),
        )
        // Before the watchers connect: they would receive all of it.
        if (each.seeded) {
          await each.generator.catchUp(historyS)
          // Otherwise the first rounds would include timing the laps of these fixes.
          await untilIdle(each.pids)
        }
        const watchers = orders.filter(({ drives }) => !drives)
        for (let done = 0; done < watchers.length; done += connectedBetweenDrives) {
          await connect(each, watchers.slice(done, done + connectedBetweenDrives))
          if (each.seeded) await each.generator.drive({ ...shortDrive, pids: each.pids })
        }
      })
      await inTurns(all, beginning)
      first = cars
    }
    Object.assign(figures, await compare(name, all, { ...plan, rounds: rounds ?? plan.rounds }))
  }
  return figures
}

/** Limits the cars to the number of files that one process may have open. */
function atMost(cars: number): number {
  const limit = openFilesLimit()
  const possible = Math.floor((limit * usableShare) / (1 + watchersPerCar))
  if (cars <= possible) return cars
  console.log(
    `Using ${possible} instead of ${cars} cars: a process may open ${limit} files (ulimit -n).`,
  )
  return possible
}
