import { freePort } from '#testing/freePort.ts'
import { hasNats, startNats } from '#testing/live/nats.ts'
import { startPostgres } from '../scripts/environment/postgres.mjs'
import type { Figures } from './figures.ts'
import { type Contender, connect, startNodes, stopAll } from './load/contenders.ts'
import type { Pace } from './load/fleet/crowd.ts'
import { loadCore, pin } from './load/processes.ts'
import { figuresOf, inTurns, oneAtATime, ratio } from './load/rounds.ts'
import { connectionsAround, seed } from './load/seed.ts'
import type { Bench } from './main.ts'

const watchers = 1000
const drivers = 45
const rounds = 3
const window = 32

export const bench: Bench = {
  question: 'CPU time of the same fan-out on 1, 2 and 3 nodes with a bus between them',
  async run() {
    if (!hasNats) return { leftOut: 'nats-server is not installed' }
    // The database inherits the pinning.
    pin(process.pid, loadCore)
    const postgres = await startPostgres({ durable: true })
    if (!postgres) return { leftOut: 'PostgreSQL is not installed' }
    const port = await freePort()
    const nats = await startNats(port)
    pin(nats.pid, loadCore)
    try {
      return await compareNodes({
        DATABASE_URL: postgres.url,
        NATS_URL: `nats://127.0.0.1:${port}`,
      })
    } finally {
      await nats.stop()
      await postgres.stop()
    }
  },
}

async function compareNodes(settings: { DATABASE_URL: string; NATS_URL: string }) {
  const counts = [1, 2, 3]
  const seeded = await seed(
    { databaseUrl: settings.DATABASE_URL, dataDir: '' },
    { cars: counts.length, watching: watchers * counts.length },
  )
  /** Orders of the connections around one car: its drivers, then its watchers. */
  const around = (car: number) =>
    connectionsAround(seeded, { first: car, count: 1, drivers, sampled: 10 * counts.length })
  const all: Contender[] = []
  try {
    for (const [car, count] of counts.entries()) {
      const contender = await startNodes(count, settings)
      all.push(contender)
      await connect(contender, around(car).slice(0, drivers + watchers))
    }
    const figures = {
      ...(await compareAll('steady', all, { hz: 10 })),
      ...(await compareAll('flood', all, { window })),
    }
    await oneAtATime(all, contender => {
      const car = all.indexOf(contender)
      return connect(
        contender,
        around(car).slice(drivers + watchers, drivers + watchers * (car + 1)),
      )
    })
    return { ...figures, ...(await compareAll('grown', all, { hz: 10 })) }
  } finally {
    await stopAll(all)
  }
}

/** Measures the contenders in turns, and compares each with the first one. */
async function compareAll(name: string, all: Contender[], pace: Pace): Promise<Figures> {
  const figures: Figures = {}
  const results = [...(await inTurns(all, { pace, rounds, seconds: 1 }))]
  const [, alone] = results[0] ?? []
  for (const [contender, measured] of results)
    Object.assign(figures, figuresOf(`${name} ${contender.name} `, measured), {
      [`${name} ${contender.name} ratio to one`]: ratio(measured, alone ?? []),
    })
  return figures
}
