import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs } from '#contract/shared/durations.ts'
import { fromColumns } from '#contract/shared/positionColumns.ts'
import { gpxRecording, type TimedScene, timedScene } from '#testing/live/timedScene.ts'

let scene: TimedScene
beforeAll(async () => {
  scene = await timedScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

/** A drive at Zolder, and after a pause the same way back, in the other direction. */
function dayOfDrives() {
  const startMs = Math.floor((Date.now() - 20 * dayMs) / 1000) * 1000
  const { written } = gpxRecording(startMs)
  const endMs = written.at(-1)!.at
  const back = written.toReversed().map(fix => ({ ...fix, at: endMs + 600_000 + (endMs - fix.at) }))
  const all = [...written, ...back]
  const rows = all.map(({ at, latitude, longitude, speedKmh }) =>
    [at / 1000, latitude, longitude, speedKmh].join(','),
  )
  return { all, text: ['utc_s,latitude_deg,longitude_deg,speed_kmh', ...rows].join('\n') }
}

test('each direction of a day in one file becomes a session with its laps', async () => {
  const { team } = await scene.newSession()
  const { all, text } = dayOfDrives()
  const imported = await scene.send(scene.leo, { teamId: team.id, file: text })
  expect(imported).toMatchObject({ isNew: true, positions: all.length, added: all.length })
  const ids = [imported.sessionId, ...imported.moreSessionIds]
  expect(ids).toHaveLength(2)
  const [first, second] = await Promise.all(
    ids.map(async sessionId => ({
      name: (await scene.ana.call.sessions.get({ sessionId })).name,
      positions: fromColumns(await scene.ana.call.positions.list({ sessionId })),
      full: (await scene.timedLaps(sessionId)).laps.filter(({ kind }) => kind === 'full').length,
    })),
  )
  expect(first).toMatchObject({ name: 'Old race 1', full: 3 })
  expect(second).toMatchObject({ name: 'Old race 2' })
  expect(second!.full).toBeGreaterThanOrEqual(3)
  expect(first!.positions.length + second!.positions.length).toBe(all.length)
  // The same file again changes nothing.
  expect(await scene.send(scene.leo, { teamId: team.id, file: text })).toMatchObject({
    sessionId: ids[0],
    moreSessionIds: ids.slice(1),
    isNew: false,
    added: 0,
  })
})
