import { startPostgres } from '../../scripts/environment/postgres.mjs'
import type { Figures } from '../figures.ts'
import type { BenchOptions } from '../main.ts'
import { percentile } from '../statistics.ts'
import { type Contender, startNaive, startPitboard } from './contenders.ts'
import type { Measured } from './generator.ts'
import { loadCore, pin, untilIdle } from './processes.ts'
import { connectionsOf } from './seed.ts'

interface Load {
  cars: number
  /** Watchers of each car. */
  watching: number
  hz: number
  /** Duration of a round: longer than the checks that our server makes every 5 s. */
  seconds: number
  /**
   * Past driving that our server receives before the measurement. During a car's first 1.1 laps, which take 110 s, its
   * direction is searched, which costs more.
   */
  historyS: number
}

/** Covers the work that became due during the pause of a server, including laps and notifications. */
const warmUpS = 8

/**
 * Measures our server and a naive one in turns, so that other activity of the machine affects both alike. Returns the
 * figures of each, and the ratio of deliveries per CPU second.
 */
export function compareWithNaive(
  load: Load,
  { rounds = 5, profile }: BenchOptions,
): Promise<Figures> {
  return withPostgres(async databaseUrl => {
    const { contender: ours, seeded, pushes } = await startPitboard(load, { databaseUrl, profile })
    const naive = await startNaive()
    const all = [ours, naive]
    try {
      ours.pause()
      await connect(naive, connectionsOf(seeded))
      naive.pause()
      ours.resume()
      await connect(
        ours,
        connectionsOf(seeded).filter(({ drivesFrom }) => drivesFrom !== null),
      )
      // Before the watchers connect: they would receive all of it.
      await ours.generator.run({ do: 'catchUp', historyS: load.historyS })
      // Otherwise the first round would include timing the laps of these fixes.
      await untilIdle(ours.pid)
      await connect(
        ours,
        connectionsOf(seeded).filter(({ drivesFrom }) => drivesFrom === null),
      )
      ours.pause()
      // The first round warms up: V8 compiles the code.
      const results = new Map<Contender, Measured[]>(all.map(each => [each, []]))
      for (let round = 0; round <= rounds; round++)
        for (const each of all) {
          const measured = await measureOnce(each, load)
          if (round > 0) results.get(each)?.push(measured)
        }
      const [mine = [], theirs = []] = results.values()
      return {
        ...figuresOf(ours.name, mine),
        ...figuresOf(naive.name, theirs),
        ...raced(mine.at(-1), pushes()),
        'ratio to naiveWs': ratio(mine, theirs),
      }
    } finally {
      for (const each of all) await each.stop()
    }
  })
}

async function connect(
  { generator, port }: Contender,
  connections: ReturnType<typeof connectionsOf>,
) {
  await generator.run({ do: 'connect', port, connections })
}

async function measureOnce(contender: Contender, { hz, seconds }: Load): Promise<Measured> {
  const { generator, pid } = contender
  contender.resume()
  const measured = await generator.run({ do: 'drive', hz, warmUpS, seconds, pid })
  contender.pause()
  if (!measured || measured.lost > 0 || measured.fixes === 0 || measured.deliveries === 0)
    throw new Error(`No valid measurement: ${JSON.stringify(measured)}`)
  return measured
}

/** Events of the races of our server. Throws if one is missing: a server that does not time laps looks like a fast one. */
function raced(measured: Measured | undefined, pushes: number): Figures {
  const figures = {
    lapEvents: measured?.lapEvents ?? 0,
    pitEvents: measured?.pitEvents ?? 0,
    pushes,
  }
  for (const [what, count] of Object.entries(figures))
    if (count === 0) throw new Error(`The races had no ${what}`)
  return figures
}

function figuresOf(name: string, rounds: Measured[]): Figures {
  const median = (of: (measured: Measured) => number) => percentile(rounds.map(of), 50)
  return {
    [`${name} PerCpuS`]: Math.round(median(perCpuSecond)),
    [`${name} PerS`]: Math.round(median(each => each.deliveries / each.seconds)),
    [`${name} P50Ms`]: median(each => each.p50Ms),
    [`${name} P99Ms`]: median(each => each.p99Ms),
    [`${name} CpuPercent`]: Math.round(median(each => (each.serverCpuS / each.seconds) * 100)),
    [`${name} GeneratorPercent`]: Math.round(
      median(each => (each.generatorCpuS / each.seconds) * 100),
    ),
  }
}

/** Median ratio of deliveries per CPU second over the rounds. */
function ratio(ours: Measured[], theirs: Measured[]): number {
  const percent = ours.map((each, round) => {
    const other = theirs[round]
    return other ? (perCpuSecond(each) / perCpuSecond(other)) * 100 : Number.NaN
  })
  return Math.round(percentile(percent, 50)) / 100
}

function perCpuSecond({ deliveries, serverCpuS }: Measured): number {
  return deliveries / serverCpuS
}

/**
 * Runs a task with a PostgreSQL server of its own, with default durability, on the core of the load.
 * Without PostgreSQL on this machine it prints a notice and runs with none.
 */
async function withPostgres<Result>(
  run: (databaseUrl: string | undefined) => Promise<Result>,
): Promise<Result> {
  // The server inherits the pinning.
  pin(process.pid, loadCore)
  const postgres = await startPostgres({ durable: true })
  if (!postgres) console.log('Using the embedded database: PostgreSQL is not installed.')
  try {
    return await run(postgres?.url)
  } finally {
    await postgres?.stop()
  }
}
