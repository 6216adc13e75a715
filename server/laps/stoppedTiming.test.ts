import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { planeAround } from '#contract/shared/geo.ts'
import { testDatabase } from '#testing/database/database.ts'
import { drivenFixes, pastSession, uploadFixes } from '#testing/live/drivenLaps.ts'
import { steppedClock } from '#testing/live/heldClock.ts'
import { gpxRecording, timedScene } from '#testing/live/timedScene.ts'
import type { Tables } from '../db/schema/tables.ts'
import { createLog } from '../log.ts'
import { productVersion } from '../productVersion.ts'
import { storeBufferedFixes } from '../telemetry/bufferedFixes.ts'
import { LapKeeper } from './lapKeeper.ts'
import { lapTable } from './lapTable.ts'

/** A plain CSV file of laps of a circle of 450 m, each driven in this many seconds, with five positions a second. */
function circleFile(lapsS: readonly number[]): string {
  const { toPosition } = planeAround({ latitude: 47.2, longitude: 8.4 })
  const radiusM = 450 / (2 * Math.PI)
  const startS = Math.floor((Date.now() - dayMs) / 1000)
  const turns = lapsS.flatMap(lapS =>
    Array.from({ length: Math.round(5 * lapS) }, (_, index) => index / Math.round(5 * lapS)),
  )
  const rows = turns.map((turn, index) => {
    const radians = 2 * Math.PI * turn
    const point = { eastM: radiusM * Math.sin(radians), northM: radiusM * Math.cos(radians) }
    const { latitude, longitude } = toPosition(point)
    return `${startS + index / 5},${latitude.toFixed(7)},${longitude.toFixed(7)}`
  })
  return ['utc_s,latitude_deg,longitude_deg', ...rows].join('\n')
}

test('a drive with laps under 5 s is not timed on, until a member asks for it', async () => {
  await using scene = await timedScene()
  const file = circleFile([...Array(10).fill(6), ...Array(20).fill(4.6)])
  const { sessionId, ...table } = await scene.importedLaps(file)
  expect(table).toMatchObject({ stopped: 'laps-too-short', pending: false })
  expect(table.laps.length).toBeLessThan(20)

  const again = await scene.leo.call.laps.timeAgain({ sessionId })
  expect(again).toMatchObject({ pending: true })
  expect(again.stopped).toBeUndefined()
  expect(await scene.timedLaps(sessionId)).toEqual({ ...table, revision: expect.any(Number) })
  const other = await scene.importedLaps(gpxRecording(Date.now() - 2 * dayMs).text)
  expect(other.laps.length).toBeGreaterThan(4)
  expect(other.stopped).toBeUndefined()
})

test('a session whose circuit cannot be timed stops alone, until its circuit changes', async () => {
  await using scene = await timedScene()
  const { clock } = scene
  const { db } = scene.app.database
  const broken = await scene.learnedSession()
  const readOutline = db
    .selectFrom('circuit_versions')
    .select(sql<string>`outline::text`.as('outline'))
    .where('circuit_id', '=', broken.circuit.id)
    .orderBy('version', 'desc')
    .limit(1)
  const { outline } = await readOutline.executeTakeFirstOrThrow()
  const setOutline = (value: string) =>
    db
      .updateTable('circuit_versions')
      .set({ outline: sql`${value}::jsonb` })
      .where('circuit_id', '=', broken.circuit.id)
      .execute()
  await setOutline('[]')
  const other = await scene.pastSession()
  await uploadFixes(scene.leo, broken.sessionId, [
    { ...broken.fixes[0]!, at: broken.startMs - 500 },
  ])
  await uploadFixes(scene.leo, other.sessionId, drivenFixes(other.startMs, { laps: 3 }))
  await scene.lapsThat(other.sessionId, ({ length }) => length === 2)

  const stop = async () => {
    clock.pass(2000)
    return (await scene.ana.call.laps.list({ sessionId: broken.sessionId })).stopped
  }
  await expect.poll(stop).toBe('failed')
  // The laps that were timed before stay.
  expect((await scene.laps(broken.sessionId)).length).toBeGreaterThanOrEqual(4)

  await setOutline(outline)
  await scene.leo.call.laps.timeAgain({ sessionId: broken.sessionId })
  await expect.poll(stop).toBe(undefined)
})

/** Makes the database refuse the data of a session's first lap each time. */
async function refuseLaps(db: Kysely<Tables>, sessionId: SessionId) {
  await sql`
    create function refuse() returns trigger language plpgsql as
    'begin raise numeric_value_out_of_range; end'`.execute(db)
  await sql`create trigger refuse before insert on laps for each row
    when (new.session_id = ${sql.lit(sessionId)}) execute function refuse()`.execute(db)
}

test('an error that always repeats is stored, and tried again by another version only', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, startMs } = await pastSession(db)
  await refuseLaps(db, sessionId)
  const fixes = drivenFixes(startMs, { laps: 3 })
  await storeBufferedFixes(db, { sessionId, fixes, historyDays: 400, now: Date.now() })
  const logged: string[] = []
  const clock = steppedClock()
  const published: string[] = []
  const keeper = new LapKeeper({
    db,
    clock,
    log: createLog('warn', { write: line => logged.push(JSON.parse(line).msg) }),
    live: { publish: (_room, event) => published.push(event.t) },
  })
  const passRounds = async (count: number) => {
    for (let passed = 0; passed < count; passed++) {
      keeper.update(sessionId)
      clock.pass(2000)
      await keeper.idle()
    }
  }
  const read = () =>
    lapTable({ db, laps: keeper }, { id: sessionId, status: 'Active', lapTiming: true })
  await passRounds(100)
  expect(logged).toEqual(['failed to compute laps, will retry', 'lap timing of a session stopped'])
  expect(await read()).toMatchObject({ stopped: 'failed', pending: false, laps: [] })
  expect(published).toContain('laps-changed')

  await sql`drop trigger refuse on laps`.execute(db)
  await passRounds(2)
  expect((await read()).laps).toEqual([])
  await db
    .updateTable('lap_timings')
    .set({ stopped_by: `not ${productVersion}` })
    .execute()
  expect(await read()).toMatchObject({ pending: true })
  await passRounds(2)
  const timed = await read()
  expect(timed.laps.length).toBe(2)
  expect(timed.stopped).toBeUndefined()
})
