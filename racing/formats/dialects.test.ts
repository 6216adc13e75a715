import { describe, expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { distanceM } from '#contract/shared/geo.ts'
import { appFiles, plainFiles } from '#testing/files/loggers/csvFiles.ts'
import { gpxFiles } from '#testing/files/loggers/gpxFiles.ts'
import type { LoggerFile } from '#testing/files/loggers/loggerFile.ts'
import { nmeaFiles } from '#testing/files/loggers/nmeaFiles.ts'
import { raceChronoFiles } from '#testing/files/loggers/raceChronoFiles.ts'
import { twoVboSessions, vboFiles } from '#testing/files/loggers/vboFiles.ts'
import { xmlFiles } from '#testing/files/loggers/xmlFiles.ts'
import { driveRace } from '#testing/races.ts'
import { circuitFrom } from '../circuits/outline.ts'
import type { RacingFix } from '../fix.ts'
import { lapsOf } from '../laps/lapTimer.ts'
import { readRecording } from './recording.ts'

/** The drive passes midnight. */
const startMs = Date.UTC(2026, 5, 20, 23, 57)

/** Zolder, and the same circuit in the south west: signs of longitude and latitude differ by format. */
const circuits = [
  zolder,
  {
    outline: zolder.outline.map(({ latitude, longitude }) => ({
      latitude: latitude - 85,
      longitude: longitude - 70,
    })),
    startFinish: {
      latitude: zolder.startFinish.latitude - 85,
      longitude: zolder.startFinish.longitude - 70,
    },
  },
].map(({ outline, startFinish }) => {
  const laps = [0.95, 0.9, 0.93, 0.92].map(pace => ({ pace }))
  return {
    drive: driveRace({ outline, laps, startShare: 0.4, hz: 5 }),
    circuit: circuitFrom(outline, startFinish),
  }
})

const groups: Record<string, readonly LoggerFile[]> = {
  VBO: vboFiles,
  RaceChrono: raceChronoFiles,
  NMEA: nmeaFiles,
  GPX: gpxFiles,
  'TCX and KML': xmlFiles,
  'plain CSV': plainFiles,
  'other apps': appFiles,
}

/** Returns the largest differences between the written fixes and the fixes read from the file. */
function differences(read: readonly RacingFix[], truth: readonly RacingFix[], file: LoggerFile) {
  const base = (read[0]?.atMs ?? 0) - (truth[0]?.atMs ?? 0)
  const most = (value: (own: RacingFix, fix: RacingFix) => number) =>
    Math.max(...truth.map((fix, index) => value(read[index]!, fix)))
  return {
    startedMs: file.hasDate === false ? 0 : Math.abs(base - startMs),
    timeMs: most((own, fix) => Math.abs(own.atMs - base - fix.atMs)),
    placeM: most((own, fix) => distanceM(own, fix)),
    speedMps:
      file.hasSpeed === false
        ? most(({ speedMps }) => (speedMps === null ? 0 : Number.POSITIVE_INFINITY))
        : most((own, fix) => Math.abs((own.speedMps ?? Number.NaN) - (fix.speedMps ?? 0))),
  }
}

describe.each(Object.entries(groups))('%s', (_, files) => {
  test.each(files)('$name gives the fixes and laps of the drive', file => {
    for (const { drive, circuit } of circuits) {
      const { fixes, crossingsMs } = drive
      const read = readRecording(file.write(fixes, startMs))
      expect(read).toHaveLength(fixes.length)
      const most = differences(read, fixes, file)
      expect(most.startedMs).toBeLessThan(20)
      expect(most.timeMs).toBeLessThan(11)
      expect(most.placeM).toBeLessThan(0.1)
      expect(most.speedMps).toBeLessThan(0.1)
      const full = lapsOf(read, circuit).laps.filter(({ kind }) => kind === 'full')
      expect(full).toHaveLength(crossingsMs.length - 1)
      for (const [lap, { timeMs }] of full.entries())
        expect(Math.abs(timeMs - (crossingsMs[lap + 1]! - crossingsMs[lap]!))).toBeLessThan(50)
    }
  })
})

test('a VBO file with two sessions has both', () => {
  const { fixes } = circuits[0]!.drive
  const [first, second] = [fixes.slice(0, 900), fixes.slice(1000)]
  const read = readRecording(twoVboSessions(first, second, startMs))
  expect(read).toHaveLength(first.length + second.length)
  expect(read.at(-1)!.atMs - read[0]!.atMs).toBe(fixes.at(-1)!.atMs - fixes[0]!.atMs)
})

test.each([
  [
    'GPX without times',
    '<trk><trkseg><trkpt lat="50" lon="5"/></trkseg></trk>',
    'Export it with times.',
  ],
  ['GPX with a route alone', '<rte><rtept lat="50" lon="5"/></rte>', 'Export the track.'],
])('%s is refused with the reason', (_, content, reason) => {
  const file = `<gpx xmlns="http://www.topografix.com/GPX/1/1">${content}</gpx>`
  expect(() => readRecording(file)).toThrow(reason)
})
