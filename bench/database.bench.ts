import { rm } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import type { RacingFix } from '#racing/fix.ts'
import { systemClock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { type DatabaseSettings, openDatabase } from '#server/db/engines/open.ts'
import { LapKeeper } from '#server/laps/lapKeeper.ts'
import { createLog } from '#server/log.ts'
import { Recorder } from '#server/telemetry/recorder.ts'
import { newDataDir } from '#testing/builtServer.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { driveRace } from '#testing/races.ts'
import { startPostgres } from '../scripts/environment/postgres.mjs'
import type { Figures } from './figures.ts'
import { seed } from './load/seed.ts'
import type { Bench, BenchOptions } from './main.ts'
import { percentile } from './statistics.ts'

const cars = 1000
/** Batch sizes: pending fixes of 1,000 cars at 1 Hz, and at 10 Hz. */
const batchSizes = [1000, 10_000]
const batches = 15
/** Driving time of a lap. The cars start at places spread over it, and each finishes one lap in it. */
const lapS = 100
/** Driving time before the measurement, in which V8 compiles the code: each car finishes two laps. */
const warmUpS = 220

export const bench: Bench = {
  question: 'fixes stored per second, and the longest delay of the event loop',
  async run(options) {
    return {
      ...(options.engine !== 'postgres' && (await onEmbedded(options))),
      ...(options.engine !== 'embedded' && (await onPostgres(options))),
    }
  },
}

async function onEmbedded(options: BenchOptions): Promise<Figures> {
  const dataDir = await newDataDir()
  try {
    return await record('embedded', { dataDir }, options)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function onPostgres(options: BenchOptions): Promise<Figures> {
  const postgres = await startPostgres({ durable: true })
  if (!postgres) {
    console.log('Skipping PostgreSQL: it is not installed.')
    return {}
  }
  try {
    return await record('postgres', { databaseUrl: postgres.url, dataDir: '' }, options)
  } finally {
    await postgres.stop()
  }
}

async function record(
  engine: string,
  settings: DatabaseSettings,
  { row: wanted = '' }: BenchOptions,
): Promise<Figures> {
  const seeded = await seed(settings, { cars, watching: 0 })
  const sessions = seeded.cars.map(({ session }) => session)
  const database = await openDatabase(settings)
  try {
    const figures: Figures = {}
    for (const size of batchSizes) {
      const row = `${engine} by ${size}`
      if (!row.endsWith(wanted)) continue
      const { fixesPerS, stopsMs, idleStopsMs } = await recordBatches(database, sessions, size)
      figures[`${row} fixesPerS`] = Math.round(percentile(fixesPerS, 50))
      figures[`${row} medianStopMs`] = percentile(stopsMs, 50)
      figures[`${row} longestStopMs`] = percentile(stopsMs, 100)
      figures[`${row} longestIdleStopMs`] = percentile(idleStopsMs, 100)
    }
    const row = `${engine} with laps`
    if (row.endsWith(wanted)) {
      const { fixesPerS, slowestMs } = await recordLaps(database, sessions)
      figures[`${row} fixesPerS`] = Math.round(fixesPerS)
      figures[`${row} slowestMs`] = Math.round(slowestMs)
    }
    return figures
  } finally {
    await database.close()
  }
}

/**
 * Stores whole batches; the first one is a warm-up. After each batch the event loop is idle for the same time, which
 * measures the delays of the machine itself.
 */
async function recordBatches(database: Database, sessions: string[], size: number) {
  const { db } = database
  const recorder = new Recorder(database, createLog('error'), systemClock)
  const fixesPerS: number[] = []
  const stopsMs: number[] = []
  const idleStopsMs: number[] = []
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
    const idle = await watched(() => pause(tookMs))
    if (batch === 0) continue
    idleStopsMs.push(idle.stopMs)
    fixesPerS.push(size / (tookMs / 1000))
    stopsMs.push(stopMs)
  }
  await recorder.close()
  const written = (await positionsIn(db)) - before
  if (written !== size * (batches + 1)) throw new Error(`Only ${written} fixes were stored.`)
  return { fixesPerS, stopsMs, idleStopsMs }
}

/**
 * Returns the fixes stored per second with their laps: each second of 1,000 cars that drive around Zolder is stored,
 * and two seconds are timed while the next two are stored, as in a server. It is the mean over the time in which each
 * car finishes one lap. `slowestMs` is the longest time that two seconds took: on PostgreSQL a deadlock would take more
 * than a second.
 */
async function recordLaps(database: Database, sessions: string[]) {
  const { db } = database
  const log = createLog('error')
  const clock = heldClock()
  const startMs = Date.now() - (warmUpS + lapS) * 1000
  await db
    .updateTable('sessions')
    .set({ date_started: new Date(startMs - 1000) })
    .execute()
  await db.updateTable('newest_fixes').set({ last_driver_contact: null }).execute()
  await sql`truncate positions`.execute(db)
  const keeper = new LapKeeper({ db, log, clock, live: { publish: () => {} } })
  const recorder = new Recorder(database, log, clock, written => keeper.onStored(written))
  const { fixes } = driveRace({
    outline: zolder.outline,
    laps: [{}, {}, {}, {}, {}],
    whiteM: 1,
    driftM: 1,
    accuracyM: 5,
  })
  const tookMs: number[] = []
  for (let second = 0; second < warmUpS + lapS; second += 2) {
    const startedAt = performance.now()
    for (const at of [second, second + 1]) {
      for (const [car, session] of sessions.entries())
        recorder.record(session, ...receivedAt(fixes[at + (car % lapS)], startMs + at * 1000))
      await recorder.flush()
    }
    await keeper.idle()
    clock.pass(2000)
    if (second >= warmUpS) tookMs.push(performance.now() - startedAt)
  }
  await keeper.idle()
  await recorder.close()
  await keeper.close()
  const { laps } = await db
    .selectFrom('laps')
    .select(({ fn }) => fn.countAll().as('laps'))
    .executeTakeFirstOrThrow()
  if (Number(laps) < 3 * sessions.length) throw new Error(`Only ${laps} laps were stored.`)
  const totalMs = tookMs.reduce((sum, each) => sum + each)
  return { fixesPerS: (lapS * sessions.length) / (totalMs / 1000), slowestMs: greatestOf(tookMs) }
}

/** A fix that was taken and received at a time. */
function receivedAt(fix: RacingFix | undefined, at: number) {
  if (!fix) throw new Error('The drive is too short.')
  const { latitude: la, longitude: lo, speedMps, headingDeg, accuracyM } = fix
  const v = speedMps === null ? null : Math.round(speedMps * kmhPerMps)
  const up = { at, la, lo, v, ac: accuracyM ?? null, h: headingDeg ?? null }
  return [up, at] as const
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
