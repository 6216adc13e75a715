import type { BenchOptions } from '../main.ts'
import { type Contender, startPitboard, startRivals, stopAll } from './contenders.ts'
import { withPostgres } from './postgres.ts'
import type { Seeded } from './seed.ts'

/** Another build of ours, measured in turns with this one: `BENCH_BASE` names its folder, like `BENCH_BUILD`. */
const base = process.env.BENCH_BASE

/** Our server, and the servers it is compared with. */
export interface LineUp {
  all: Contender[]
  /** The people and sessions of a contender. The rivals accept any: they get ours. */
  seededOf(contender: Contender): Seeded
}

/**
 * Runs a bench on our server, on `BENCH_BASE` and on the rivals. Each build of ours has a PostgreSQL server of its own,
 * or the embedded database if PostgreSQL is not installed.
 */
export function withLineUp<Result>(
  size: { cars: number; watching: number },
  options: BenchOptions,
  run: (lineUp: LineUp) => Promise<Result>,
): Promise<Result> {
  return withPostgres(async databaseUrl => {
    const { contender: ours, seeded } = await startPitboard(size, {
      databaseUrl,
      profile: options.profile,
    })
    let all: Contender[] = [ours]
    const runAll = async () => {
      all = [ours, ...(await startRivals(options.against))]
      return run({ all, seededOf: contender => contender.seeded ?? seeded })
    }
    try {
      if (base === undefined) return await runAll()
      return await withPostgres(async otherUrl => {
        const other = { name: 'base', build: base }
        const { contender } = await startPitboard(size, { databaseUrl: otherUrl, other })
        all.push(contender)
        return runAll()
      })
    } finally {
      await stopAll(all)
    }
  })
}
