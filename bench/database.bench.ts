import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import type { RacingFix } from '#racing/fix.ts'
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
import type { Bench } from './main.ts'

const cars = 1000
/** Driving time of a lap. The cars start at places spread over it, and each finishes one lap in it. */
const lapS = 100
/** Driving time before the measurement, in which V8 compiles the code: each car finishes two laps. */
const warmUpS = 220

export const bench: Bench = {
  question: 'fixes stored per second with their laps',
  async run(options) {
    return {
      ...(options.engine !== 'postgres' && (await onEmbedded())),
      ...(options.engine !== 'embedded' && (await onPostgres())),
    }
  },
}

async function onEmbedded(): Promise<Figures> {
  const dataDir = await newDataDir()
  try {
    return await record('embedded', { dataDir })
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function onPostgres(): Promise<Figures> {
  const postgres = await startPostgres({ durable: true })
  if (!postgres) {
    console.log('Skipping PostgreSQL: it is not installed.')
    return {}
  }
  try {
    return await record('postgres', { databaseUrl: postgres.url, dataDir: '' })
  } finally {
    await postgres.stop()
  }
}

async function record(engine: string, settings: DatabaseSettings): Promise<Figures> {
  const seeded = await seed(settings, { cars, watching: 0 })
  const database = await openDatabase(settings)
  try {
    const sessions = seeded.cars.map(({ session }) => session)
    const { fixesPerS, slowestMs } = await recordLaps(database, sessions)
    return {
      [`${engine} with laps fixesPerS`]: Math.round(fixesPerS),
      [`${engine} with laps slowestMs`]: Math.round(slowestMs),
    }
  } finally {
    await database.close()
  }
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
  const recorder = new Recorder(database, log, clock, fixes => keeper.onStored(fixes))
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
