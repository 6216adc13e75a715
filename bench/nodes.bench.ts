import { freePort } from '#testing/freePort.ts'
import { hasNats, startNats } from '#testing/live/nats.ts'
import { startPostgres } from '../scripts/environment/postgres.mjs'
import type { Figures } from './figures.ts'
import { type Contender, connect, startNodes, stopAll } from './load/contenders.ts'
import { loadCore, pin } from './load/processes.ts'
import { figuresOf, inTurns, oneAtATime, type Rounds, ratio } from './load/rounds.ts'
import { connectionsAround, seed } from './load/seed.ts'
import type { ConnectionOrder } from './load/wireProtocol.ts'
import type { Bench, BenchOptions } from './main.ts'

const watchers = 1000
const drivers = 45
const counts = [1, 2, 3]

/**
 * A steady round lasts 5.7 s with its warm-up, so that each includes one of the checks that a node makes every 5 s: those
 * that became due during the pause run at its beginning, before the measurement.
 */
const rows = {
  flood: { pace: { window: 32 }, rounds: 3, seconds: 1 },
  steady: { pace: { hz: 10 }, rounds: 5, seconds: 5 },
  grown: { pace: { hz: 10 }, rounds: 3, seconds: 5 },
} satisfies Record<string, Rounds>

/**
 * Each node compiles its code itself, in threads of V8. Nodes that share the watchers have less work each, so the time
 * until the code is compiled grows with their number.
 */
const warmUp = { pace: { hz: 100 }, secondsPerNode: 4 }

export const bench: Bench = {
  question: 'CPU time of the same fan-out on 1, 2 and 3 nodes with a bus between them',
  async run(options) {
    if (!hasNats) return { leftOut: 'nats-server is not installed' }
    // The database inherits the pinning.
    pin(process.pid, loadCore)
    const postgres = await startPostgres({ durable: true })
    if (!postgres) return { leftOut: 'PostgreSQL is not installed' }
    const port = await freePort()
    const nats = await startNats(port)
    pin(nats.pid, loadCore)
    try {
      const settings = { DATABASE_URL: postgres.url, NATS_URL: `nats://127.0.0.1:${port}` }
      return await compareNodes(settings, options)
    } finally {
      await nats.stop()
      await postgres.stop()
    }
  },
}

async function compareNodes(
  settings: { DATABASE_URL: string; NATS_URL: string },
  { row = '', rounds, profile }: BenchOptions,
) {
  const seeded = await seed(
    { databaseUrl: settings.DATABASE_URL, dataDir: '' },
    { cars: counts.length, watching: watchers * counts.length },
  )
  /** Orders of the connections around one car: its drivers, then its watchers. */
  const around = (car: number) =>
    connectionsAround(seeded, { first: car, count: 1, drivers, sampled: 10 * counts.length })
  const figures: Figures = {}
  const all: Contender[] = []
  try {
    for (const [car, count] of counts.entries()) {
      const contender = await startNodes(count, settings, profile)
      all.push(contender)
      await connectCar(contender, around(car).slice(0, drivers))
      await connect(contender, around(car).slice(drivers, drivers + watchers))
    }
    await oneAtATime(all, async ({ generator, pids }) => {
      const { pace, secondsPerNode } = warmUp
      await generator.drive({ pace, warmUpS: 0, seconds: secondsPerNode * pids.length, pids })
    })
    for (const [name, plan] of Object.entries(rows)) {
      if (!name.includes(row)) continue
      if (name === 'grown')
        await oneAtATime(all, contender => {
          const car = all.indexOf(contender)
          const last = drivers + watchers * contender.ports.length
          return connect(contender, around(car).slice(drivers + watchers, last))
        })
      Object.assign(
        figures,
        await compareAll(name, all, { ...plan, rounds: rounds ?? plan.rounds }),
      )
    }
    return figures
  } finally {
    await stopAll(all)
  }
}

/**
 * Connects a car to the first node, because a phone has one connection. If several nodes stored fixes of one session, each
 * would time its laps from the start again and again.
 */
function connectCar(contender: Contender, connections: ConnectionOrder[]) {
  return connect({ ...contender, ports: contender.ports.slice(0, 1) }, connections)
}

/** Measures the contenders in turns, and compares each with the first one. */
async function compareAll(name: string, all: Contender[], plan: Rounds): Promise<Figures> {
  const figures: Figures = {}
  const results = [...(await inTurns(all, plan))]
  const [, alone] = results[0] ?? []
  for (const [contender, measured] of results)
    Object.assign(figures, figuresOf(`${name} ${contender.name} `, measured), {
      [`${name} ${contender.name} ratio to one`]: ratio(measured, alone ?? []),
    })
  return figures
}
