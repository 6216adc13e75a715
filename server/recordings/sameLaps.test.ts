import { afterAll, beforeAll, expect, test } from 'vitest'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import type { Position } from '#contract/shared/geo.ts'
import { timeRecording } from '#racing/command/timeRecording.ts'
import { readRecording } from '#racing/formats/recording.ts'
import { plainFiles } from '#testing/files/loggers/csvFiles.ts'
import { nmeaFiles } from '#testing/files/loggers/nmeaFiles.ts'
import { raceChronoFiles } from '#testing/files/loggers/raceChronoFiles.ts'
import { vboFiles } from '#testing/files/loggers/vboFiles.ts'
import { type TimedScene, timedScene } from '#testing/live/timedScene.ts'
import { driveRace } from '#testing/races.ts'

let scene: TimedScene
beforeAll(async () => {
  scene = await timedScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const startMs = Math.floor(Date.now() / 1000) * 1000 - 20 * 24 * 60 * 60 * 1000

/** Zolder, where no circuit is known. */
const unknown = zolder.outline.map(({ latitude, longitude }) => ({
  latitude,
  longitude: longitude + 1,
}))

function drive(outline: readonly Position[], hz: number, laps: number) {
  const pace = Array.from({ length: laps }, (_, lap) => ({ pace: 0.9 + 0.03 * Math.sin(2 * lap) }))
  const noise = { whiteM: 0.6, driftM: 0.8, startShare: 0.55, seed: 3 }
  return driveRace({ outline, laps: pace, hz, ...noise }).fixes
}

test.each([
  { name: 'VBO of Spa', outline: spaFrancorchamps.outline, hz: 10, laps: 4, logger: vboFiles[0]! },
  { name: 'CSV of Zolder', outline: zolder.outline, hz: 1, laps: 5, logger: plainFiles[0]! },
  { name: 'NMEA at 25 Hz', outline: unknown, hz: 25, laps: 5, logger: nmeaFiles[0]! },
  { name: 'RaceChrono at 20 Hz', outline: unknown, hz: 20, laps: 5, logger: raceChronoFiles[3]! },
  { name: 'one lap', outline: unknown, hz: 5, laps: 2, logger: plainFiles[0]! },
])('the command and an import time the same laps: $name', async ({ outline, hz, laps, logger }) => {
  const file = logger.write(drive(outline, hz, laps), startMs)
  const { circuit, ...timed } = timeRecording(readRecording(file), {})
  const page = await scene.importedLaps(file)
  expect(timed.laps.length).toBeGreaterThanOrEqual(laps)
  expect(page.laps.map(({ number, kind }) => [number, kind])).toEqual(
    timed.laps.map(({ number, kind }) => [number, kind]),
  )
  expect(page.circuit?.name ?? null).toBe(timed.name)
  expect(Math.abs(page.circuit!.lengthM / circuit!.track.lengthM - 1)).toBeLessThan(0.005)
  // The server stores whole km/h, and at most ten positions a second.
  for (const [index, { kind, timeMs, plusMinusMs }] of timed.laps.entries()) {
    const own = page.laps[index]!
    expect(Math.abs(own.timeMs - timeMs)).toBeLessThan(kind === 'full' ? 100 : 500)
    expect(Math.abs(own.plusMinusMs - plusMinusMs)).toBeLessThan(30)
  }
})
