import { rm } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { type DatabaseSettings, openDatabase } from '#server/db/open.ts'
import { createLog } from '#server/log.ts'
import { Recorder } from '#server/telemetry/recorder.ts'
import { newDataDir } from '#testing/builtServer.ts'
import { startPostgres } from '../scripts/environment/postgres.mjs'
import type { Figures } from './figures.ts'
import { seed } from './load/seed.ts'
import type { Bench } from './main.ts'
import { percentile } from './statistics.ts'

const cars = 1000
/** Batch sizes: pending fixes of 1,000 cars at 1 Hz, and at 10 Hz. */
const batchSizes = [1000, 10_000]
const batches = 15

export const bench: Bench = {
  question: 'fixes stored per second, and the longest delay of the event loop',
  async run() {
    const figures = await embedded()
    const postgres = await startPostgres({ durable: true })
    if (!postgres) {
      console.log('Skipping PostgreSQL: it is not installed.')
      return figures
    }
    try {
      return {
        ...figures,
        ...(await record('postgres', { databaseUrl: postgres.url, dataDir: '' })),
      }
    } finally {
      await postgres.stop()
    }
  },
}

async function embedded(): Promise<Figures> {
  const dataDir = await newDataDir()
  try {
    return await record('embedded', { dataDir })
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function record(name: string, settings: DatabaseSettings): Promise<Figures> {
  const seeded = await seed(settings, { cars, watching: 0 })
  const sessions = seeded.cars.map(({ session }) => session)
  const database = await openDatabase(settings)
  try {
    const figures: Figures = {}
    for (const size of batchSizes) {
      const { fixesPerS, stopsMs } = await recordBatches(database, sessions, size)
      figures[`${name} by ${size} fixesPerS`] = Math.round(percentile(fixesPerS, 50))
      figures[`${name} by ${size} medianStopMs`] = percentile(stopsMs, 50)
      figures[`${name} by ${size} longestStopMs`] = percentile(stopsMs, 100)
    }
    return figures
  } finally {
    await database.close()
  }
}

/** Stores whole batches; the first one is a warm-up. */
async function recordBatches(database: Database, sessions: string[], size: number) {
  const { db } = database
  const recorder = new Recorder(database, createLog('error'), systemClock)
  const fixesPerS: number[] = []
  const stopsMs: number[] = []
  const before = await positionsIn(db)
  for (let batch = 0; batch <= batches; batch++) {
    const at = Date.now()
    for (let n = 0; n < size; n++) {
      // Each fix of a car has its own time, in the past because the newest is now.
      const fix = {
        t: 'fix',
        at: at - Math.floor(n / cars),
        la: 50.43721,
        lo: 5.97142,
        v: 187,
        ac: 4,
        h: 271,
      } as const
      recorder.record(sessions[n % cars] ?? '', fix, at)
    }
    const { tookMs, stopMs } = await watched(() => recorder.flush())
    if (batch === 0) continue
    fixesPerS.push(size / (tookMs / 1000))
    stopsMs.push(stopMs)
  }
  await recorder.close()
  const written = (await positionsIn(db)) - before
  if (written !== size * (batches + 1)) throw new Error(`Only ${written} fixes were stored.`)
  return { fixesPerS, stopsMs }
}

/** Measures the duration of a task, and the longest delay of the event loop in it. */
async function watched(work: () => Promise<unknown>) {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  // The delay is only measured after the timer has run once.
  await pause(20)
  const startedAt = performance.now()
  await work()
  const tookMs = performance.now() - startedAt
  await pause(5)
  delays.disable()
  return { tookMs, stopMs: delays.max / 1e6 }
}

async function positionsIn(db: Database['db']): Promise<number> {
  const { count } = await db
    .selectFrom('positions')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
