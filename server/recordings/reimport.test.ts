import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs } from '#contract/shared/durations.ts'
import { drivenFixes } from '#testing/live/drivenLaps.ts'
import { type TimedScene, timedScene } from '#testing/live/timedScene.ts'

let scene: TimedScene
beforeAll(async () => {
  scene = await timedScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const startMs = Math.floor((Date.now() - 20 * dayMs) / 1000) * 1000

async function exported(sessionId: string, name: string): Promise<string> {
  const response = await fetch(`${scene.app.url}/api/v1/sessions/${sessionId}/${name}`, {
    headers: { cookie: scene.ana.jar.header },
  })
  return response.text()
}

function drive(): string {
  const rows = drivenFixes(startMs, { laps: 5, elsewhere: true }).map(
    ({ at, latitude, longitude, speedKmh }) => [at / 1000, latitude, longitude, speedKmh, 7],
  )
  return ['utc_s,latitude_deg,longitude_deg,speed_kmh,accuracy_m', ...rows].join('\n')
}

/** A phone's recording, moved to a time that is recent enough for positions to be stored. */
function phone(): string {
  const [header = '', ...rows] = readFileSync(process.env.PHONE_FILE!, 'utf8').trim().split('\n')
  const at = header.split(',').indexOf('utc_s')
  const firstS = Number(rows[0]?.split(',')[at])
  const moved = rows.map(row =>
    row
      .split(',')
      .map((cell, column) =>
        column === at ? (Number(cell) - firstS + startMs / 1000).toFixed(3) : cell,
      )
      .join(','),
  )
  return [header, ...moved].join('\n')
}

const sources = [
  { name: 'a drive on an unknown circuit', file: drive, full: 4 },
  ...(process.env.PHONE_FILE ? [{ name: 'a phone with poor GPS', file: phone, full: 8 }] : []),
]

test.each(sources)('importing the exported files of $name gives the same laps', async source => {
  const { sessionId, laps } = await scene.importedLaps(source.file())
  expect(laps.filter(({ kind }) => kind === 'full')).toHaveLength(source.full)
  for (const name of ['track.gpx', 'track.vbo', 'racechrono.csv', 'positions.csv']) {
    const again = await scene.importedLaps(await exported(sessionId, name))
    const facts = (of: typeof laps) => of.map(({ number, kind, isSeen }) => [number, kind, isSeen])
    expect(facts(again.laps), `in ${name}`).toEqual(facts(laps))
    for (const [index, lap] of again.laps.entries()) {
      const before = laps[index]!
      // Both are rounded to a millisecond.
      expect(Math.abs(lap.startedAt - before.startedAt), `in ${name}`).toBeLessThanOrEqual(1)
      expect(Math.abs(lap.timeMs - before.timeMs), `in ${name}`).toBeLessThanOrEqual(1)
      expect(Math.abs(lap.plusMinusMs - before.plusMinusMs), `in ${name}`).toBeLessThanOrEqual(1)
    }
  }
})
