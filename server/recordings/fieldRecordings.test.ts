import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dayMs } from '#contract/shared/durations.ts'
import { readRecording } from '#racing/formats/recording.ts'
import { gpxFiles } from '#testing/files/loggers/gpxFiles.ts'
import { longestPause } from '#testing/files/longestPause.ts'
import { type TimedScene, timedScene } from '#testing/live/timedScene.ts'

let scene: TimedScene
beforeAll(async () => {
  scene = await timedScene()
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.app.forgetLimits())

/** A recent day, because old positions are deleted. */
const day = new Date(Date.now() - 30 * dayMs).toISOString().slice(0, 10)
const [year, month, dayOfMonth] = day.split('-')

/** The weeks that a receiver with an old calendar is behind, and its date on that day, as NMEA writes it. */
const lostWeeks = 1024
const lostDay = new Date(Date.parse(day) - lostWeeks * 7 * dayMs)
const lostDate = lostDay.toISOString().replace(/^..(..)-(..)-(..).*/, '$3$2$1')

/** Returns the text of a recording, with its date as a recent one. */
async function recordingOf(name: string): Promise<string> {
  const folder = new URL('../../testing/recordings/', import.meta.url)
  const text = await readFile(new URL(name, folder), 'utf8')
  return text
    .replaceAll('2026-06-20', day)
    .replaceAll('20/06/2026', `${dayOfMonth}/${month}/${year}`)
    .replaceAll('06/20/2026', `${month}/${dayOfMonth}/${year}`)
    .replaceAll('041106', lostDate)
    .replaceAll(/\b178196(?=\d{4})/g, String(Math.floor((Date.now() - 30 * dayMs) / 1e7)))
}

async function imported(name: string) {
  const { team } = await scene.newSession()
  return scene.send(scene.leo, { teamId: team.id, file: await recordingOf(name), day })
}

/** Laps of one drive, in seconds: the four of most files. */
const four = [51.86, 51.68, 52.56, 52.37]

/** Full laps of each drive in a recording, in seconds. Null is a lap whose time depends on the place of the learned line. */
const timed: Record<string, (number | null)[][]> = {
  'date-line.csv': [[51.85, 51.67]],
  'slow-kart-2hz.csv': [[48.05, 47.93, 48.79, 48.56, 48.56, 48.26, 47.96]],
  'slow-kart-10hz.csv': [[43.25, 43.15, 43.89, 43.71, 43.7, 43.42]],
  // Two formation laps, and one in which the race begins.
  'formation-laps.csv': [[227.93, 227.94, null, 75.22, 75.21]],
  'nanoseconds.csv': [four],
  'track-twice.gpx': [four],
  'tracks-in-reverse-order.gpx': [four],
  'clock-am-pm.csv': [four],
  'minutes-seconds.csv': [four],
  'gpx-zone-hours-only.gpx': [four],
  'gpx-utc-word.gpx': [four],
  'clock-back-1s.csv': [[51.59, 51.71, 52.74, 52.29]],
  'clock-forward-2s.csv': [[51.59, 51.71, 52.74, 52.29]],
  'precise-no-accuracy.csv': [[70, 70.6, 68.98, 70.72]],
  'week-rollover.nmea': [four],
  'units-after-bars.log': [four],
  'rmc-without-date.nmea': [four],
  'hemisphere-letters.csv': [four],
  'short-circuit.csv': [[28.81, 28.77, 29.28, 29.13, 29.14, 28.94]],
  'two-circuits.csv': [four, [69.2, 68.5, 69.13, 69.29]],
  'reversed-later.csv': [four, [51.61, 52.25, 52.73, 53.29]],
  // At the line of the file.
  'logger-with-lng.vbo': [[52.14, 51.39, 52.33, 52.24]],
  // Too short for a lap.
  'activity.tcx': [[]],
  'activity.kml': [[]],
}

test.for(Object.entries(timed))('%s is imported with its laps', async ([name, drives]) => {
  const { sessionId, moreSessionIds, addedWeeks } = await imported(name)
  expect(addedWeeks).toBe(name === 'week-rollover.nmea' ? lostWeeks : 0)
  const ids = [sessionId, ...moreSessionIds]
  expect(ids).toHaveLength(drives.length)
  for (const [index, expected] of drives.entries()) {
    const { laps, gpsPoor, stopped } = await scene.timedLaps(ids[index]!)
    expect({ gpsPoor, stopped }).toEqual({ gpsPoor: false, stopped: undefined })
    const full = laps.filter(({ kind }) => kind === 'full').map(({ timeMs }) => timeMs / 1000)
    // A lap without an expected time is only counted.
    const errors = full.map((seconds, lap) => Math.abs(seconds - (expected[lap] ?? seconds)))
    expect(errors.filter(error => error >= 0.05)).toEqual([])
  }
})

test('the ± of precise positions follows from the spread, also without an accuracy', async () => {
  const { sessionId } = await imported('precise-no-accuracy.csv')
  const { laps } = await scene.timedLaps(sessionId)
  for (const { plusMinusMs } of laps) expect(plusMinusMs).toBeLessThanOrEqual(50)
})

test('a circuit on the date line is timed from GPX while the server stays free', async () => {
  const startMs = Date.parse(day)
  const fixes = readRecording(await recordingOf('date-line.csv'))
  const file = gpxFiles[0]!.write(fixes, startMs)
  const pauses = longestPause()
  const { laps } = await scene.importedLaps(file)
  const { longestMs, wholeMs } = pauses.end()
  const full = laps.filter(({ kind }) => kind === 'full').map(({ timeMs }) => timeMs)
  expect(full).toHaveLength(2)
  for (const [lap, seconds] of timed['date-line.csv']![0]!.entries())
    expect(Math.abs(full[lap]! - 1000 * seconds!)).toBeLessThan(50)
  // Relative to the whole time, because the machine may be busy.
  expect(longestMs).toBeLessThan(wholeMs / 2)
})

test.for([
  ['fix-every-10s.csv', 'recording-unreadable', /10 s apart/],
  ['times-cut-to-minutes.csv', 'recording-without-times', /no seconds/],
] as const)('%s is refused with the reason', async ([name, detail, reason]) => {
  await expect(imported(name)).rejects.toMatchObject({
    detail,
    reason: expect.stringMatching(reason),
  })
})
