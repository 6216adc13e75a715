import { freePort } from '#testing/freePort.ts'
import { hasNats, startNats } from '#testing/live/nats.ts'
import { startPostgres } from '../scripts/environment/postgres.mjs'
import type { Figures } from './figures.ts'
import { connect, startNodes, stopAll } from './load/contenders.ts'
import { loadCore, pin } from './load/processes.ts'
import { figuresOf, inTurns, ratio } from './load/rounds.ts'
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
    { cars: counts.length, watching: watchers },
  )
  const all = []
  try {
    for (const [first, count] of counts.entries()) {
      const contender = await startNodes(count, settings)
      all.push(contender)
      const scene = { first, count: 1, drivers, sampled: 10 }
      await connect(contender, connectionsAround(seeded, scene))
    }
    const figures: Figures = {}
    for (const [name, pace] of [
      ['steady', { hz: 10 }],
      ['flood', { window }],
    ] as const) {
      const results = [...(await inTurns(all, { pace, rounds, seconds: 1 }))]
      const [, alone] = results[0] ?? []
      for (const [contender, measured] of results) {
        Object.assign(figures, figuresOf(`${name} ${contender.name} `, measured), {
          [`${name} ${contender.name} ratio to one`]: ratio(measured, alone ?? []),
        })
      }
    }
    return figures
  } finally {
    await stopAll(all)
  }
}
