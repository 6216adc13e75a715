import { afterAll, beforeAll, expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import { distanceM } from '#contract/shared/geo.ts'
import { vboWriter } from '#racing/formats/write/writeVbo.ts'
import { type TimedScene, timedScene } from '#testing/live/timedScene.ts'
import { driveRace } from '#testing/races.ts'

let scene: TimedScene
beforeAll(async () => {
  scene = await timedScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const startMs = Math.floor(Date.now() / 1000) * 1000 - 20 * 24 * 60 * 60 * 1000

/** Zolder, where no circuit is known. */
const outline = zolder.outline.map(({ latitude, longitude }) => ({
  latitude,
  longitude: longitude + 1,
}))

/** A drive that begins half a lap before the line, as a VBO file that names the line. */
function drive() {
  const laps = [0.9, 0.95, 0.85, 0.92, 0.88].map(pace => ({ pace }))
  const { fixes, crossingsMs } = driveRace({ outline, laps, hz: 10, whiteM: 0.05, startShare: 0.5 })
  const [middle] = outline
  const end = (degrees: number) => ({ ...middle!, latitude: middle!.latitude + degrees })
  const writer = vboWriter({
    title: 'Old race',
    driver: '',
    circuit: '',
    startedAt: startMs,
    line: [end(-1e-4), end(1e-4)],
  })
  const rows = fixes.map(({ atMs, latitude, longitude, speedMps }) => ({
    at: startMs + atMs,
    latitude,
    longitude,
    speedKmh: (speedMps ?? 0) * kmhPerMps,
    accuracyM: null,
    headingDeg: null,
    lap: null,
  }))
  return { file: writer.head() + writer.rows(rows) + writer.foot(), line: middle!, crossingsMs }
}

test('laps on a learned circuit begin at the line that the recording names', async () => {
  const { file, line, crossingsMs } = drive()
  const { sessionId, laps } = await scene.importedLaps(file)
  const full = laps.filter(({ kind }) => kind === 'full')
  const driven = crossingsMs.slice(1).map((ms, lap) => ms - crossingsMs[lap]!)
  expect(full).toHaveLength(driven.length)
  for (const [index, { timeMs }] of full.entries())
    expect(Math.abs(timeMs - driven[index]!)).toBeLessThanOrEqual(20)
  const { teamId } = await scene.ana.call.sessions.get({ sessionId })
  const known = await scene.ana.call.circuits.list({ teamId })
  const { id } = known.find(({ source }) => source === 'learned')!
  const learned = await scene.ana.call.circuits.get({ teamId, circuitId: id })
  expect(learned.lineSource).toBe('data')
  expect(distanceM(learned.line, line)).toBeLessThan(2)

  await scene.leo.call.sessions.deletePositions({ sessionId })
  const { db } = scene.app.database
  const row = db.selectFrom('sessions').select('recorded_line').where('id', '=', sessionId)
  expect(await row.executeTakeFirst()).toEqual({ recorded_line: null })
})
