import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs } from '#contract/shared/durations.ts'
import { fromColumns } from '#contract/shared/positionColumns.ts'
import { vboWriter } from '#racing/formats/write/writeVbo.ts'
import { subscribedConnection } from '#testing/live/liveScene.ts'
import { gpxRecording, type TimedScene, timedScene } from '#testing/live/timedScene.ts'
import { deleteOldDays } from '../telemetry/days.ts'

let scene: TimedScene
beforeAll(async () => {
  scene = await timedScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

/** Returns the laps of an imported drive of five. */
async function lapsOf(sessionId: string) {
  const { laps } = await scene.timedLaps(sessionId)
  expect(laps).toHaveLength(5)
  return laps
}

async function positionsOf(sessionId: string) {
  return fromColumns(await scene.ana.call.positions.list({ sessionId }))
}

test('a recording becomes an ended session of its uploader, with laps, and no event', async () => {
  const { team, session } = await scene.newSession()
  const wall = await subscribedConnection(scene.ana, `team:${team.id}`)
  const startMs = Math.floor((Date.now() - 20 * dayMs) / 1000) * 1000
  const { text, written } = gpxRecording(startMs)
  const imported = await scene.send(scene.leo, { teamId: team.id, file: text })
  expect(imported).toMatchObject({
    positions: written.length,
    isNew: true,
    positionsStay: true,
    keptPerSecond: null,
  })
  // Checked before the laps, because a connection that sends nothing for 5 s is closed.
  await wall.roundTrip()
  expect(wall.received('session-started')).toEqual([])
  expect(wall.received('session-ended')).toEqual([])
  const { sessionId } = imported
  expect(await scene.ana.call.sessions.get({ sessionId })).toMatchObject({
    name: 'Old race',
    status: 'Complete',
    imported: true,
    driver: { id: scene.leo.id },
    startedAt: startMs,
  })
  const laps = await lapsOf(sessionId)
  expect(laps.map(({ kind }) => kind)).toEqual(['out', 'full', 'full', 'full', 'incomplete'])
  expect(await scene.ana.call.laps.list({ sessionId })).toMatchObject({
    circuit: { name: 'Circuit Zolder' },
  })
  expect((await positionsOf(sessionId)).map(({ at }) => at)).toEqual(written.map(({ at }) => at))
  // The list of active sessions still contains only the driven one, and an imported one accepts no message.
  expect(
    (await scene.ana.call.sessions.listActive({ teamId: team.id })).map(({ id }) => id),
  ).toEqual([session.id])
  await expect(
    scene.ana.call.messages.set({ sessionId, type: 'Pit', commandId: crypto.randomUUID() }),
  ).rejects.toMatchObject({ code: 'session-ended' })
  const { sessions } = await scene.ana.call.sessions.list({ teamId: team.id })
  expect(sessions.map(({ id, imported: isImported }) => [id, isImported])).toEqual([
    [session.id, false],
    [sessionId, true],
  ])
})

test('the same recording again is the same session, and completes a failed import', async () => {
  const { team } = await scene.newSession()
  const { text, written } = gpxRecording(Date.now() - 3 * dayMs, 2)
  const { sessionId } = await scene.send(scene.leo, { teamId: team.id, file: text })
  const { db } = scene.app.database
  await db
    .deleteFrom('positions')
    .where('session_id', '=', sessionId)
    .where('at', '>', new Date(written[50]!.at))
    .execute()
  expect(await scene.send(scene.leo, { teamId: team.id, file: Buffer.from(text) })).toMatchObject({
    sessionId,
    isNew: false,
    added: written.length - 51,
  })
  expect(await positionsOf(sessionId)).toHaveLength(written.length)
  // Another member gets the same session; another team gets a new one.
  expect(await scene.send(scene.ana, { teamId: team.id, file: text })).toMatchObject({
    sessionId,
    added: 0,
  })
  const { team: other } = await scene.newSession()
  expect(await scene.send(scene.leo, { teamId: other.id, file: text })).toMatchObject({
    isNew: true,
  })
})

test('deleted positions of an import are gone; the recording may be imported again', async () => {
  const { team } = await scene.newSession()
  const { text } = gpxRecording(Date.now() - 5 * dayMs)
  const { sessionId } = await scene.send(scene.leo, { teamId: team.id, file: text })
  const laps = await lapsOf(sessionId)
  await expect(scene.ana.call.sessions.deletePositions({ sessionId })).rejects.toMatchObject({
    code: 'not-the-driver',
  })
  await scene.leo.call.sessions.deletePositions({ sessionId })
  expect(await positionsOf(sessionId)).toEqual([])
  expect((await scene.ana.call.laps.list({ sessionId })).laps).toEqual(laps)
  const again = await scene.send(scene.leo, { teamId: team.id, file: text })
  expect(again.isNew).toBe(true)
  expect(await positionsOf(sessionId)).toEqual([])
  await scene.leo.call.sessions.deletePositions({ sessionId: again.sessionId, withLaps: true })
  expect((await scene.ana.call.laps.list({ sessionId: again.sessionId })).laps).toEqual([])
})

test('only the laps of a recording older than the history are kept', async () => {
  const { team } = await scene.newSession()
  const { text } = gpxRecording(Date.now() - 900 * dayMs)
  const { sessionId, positionsStay } = await scene.send(scene.leo, { teamId: team.id, file: text })
  expect(positionsStay).toBe(false)
  const laps = await lapsOf(sessionId)
  await deleteOldDays(scene.app.database.db, Date.now(), 400)
  expect(await positionsOf(sessionId)).toEqual([])
  expect(await lapsOf(sessionId)).toEqual(laps)
})

test('a VBO file without a date needs the day', async () => {
  const { team } = await scene.newSession()
  const day = new Date(Date.now() - 9 * dayMs).toISOString().slice(0, 10)
  const { written } = gpxRecording(Date.parse(day) + 3_600_000, 2)
  const writer = vboWriter({ title: '', driver: '', circuit: '', startedAt: 0, line: null })
  const file = (writer.head() + writer.rows(written)).replace(/^File created[^\n]*\n/, '')
  await expect(scene.send(scene.leo, { teamId: team.id, file })).rejects.toMatchObject({
    code: 'invalid-input',
    detail: 'recording-undated',
  })
  const { sessionId } = await scene.send(scene.leo, { teamId: team.id, file, day })
  expect((await positionsOf(sessionId))[0]?.at).toBe(written[0]!.at)
  // The same file on another day is another drive, and adds nothing to this one.
  expect(await scene.send(scene.leo, { teamId: team.id, file, day })).toMatchObject({
    sessionId,
    isNew: false,
  })
  const dayBefore = new Date(Date.parse(day) - dayMs).toISOString().slice(0, 10)
  const other = await scene.send(scene.leo, { teamId: team.id, file, day: dayBefore })
  expect(other.isNew).toBe(true)
  expect(await positionsOf(sessionId)).toHaveLength(written.length)
})

test('an import without lap timing stores positions and no laps', async () => {
  const { team } = await scene.newSession()
  const { text, written } = gpxRecording(Date.now() - 4 * dayMs, 2)
  const { sessionId } = await scene.send(scene.leo, {
    teamId: team.id,
    file: text,
    lapTiming: false,
  })
  expect(await positionsOf(sessionId)).toHaveLength(written.length)
  for (let passed = 0; passed < 3; passed++) scene.clock.pass(2000)
  expect(await scene.ana.call.laps.list({ sessionId })).toMatchObject({
    lapTiming: false,
    laps: [],
    pending: false,
  })
})

test('the newest choice of lap timing counts when a recording is imported again', async () => {
  const { team } = await scene.newSession()
  const { text } = gpxRecording(Date.now() - 6 * dayMs)
  const first = await scene.send(scene.leo, { teamId: team.id, file: text })
  expect(first.lapTimingChanged).toBe(false)
  const { sessionId } = first
  const laps = await lapsOf(sessionId)
  // Another member, who learned that timing is forbidden.
  const off = await scene.send(scene.ana, { teamId: team.id, file: text, lapTiming: false })
  expect(off).toMatchObject({ sessionId, isNew: false, lapTimingChanged: true })
  for (let passed = 0; passed < 3; passed++) scene.clock.pass(2000)
  expect(await scene.ana.call.laps.list({ sessionId })).toMatchObject({
    lapTiming: false,
    laps: [],
  })
  const { db } = scene.app.database
  const stored = await db
    .selectFrom('laps')
    .select('number')
    .where('session_id', '=', sessionId)
    .execute()
  expect(stored).toEqual([])
  const again = await scene.send(scene.leo, { teamId: team.id, file: text, lapTiming: false })
  expect(again.lapTimingChanged).toBe(false)
  const on = await scene.send(scene.leo, { teamId: team.id, file: text })
  expect(on).toMatchObject({ sessionId, lapTimingChanged: true })
  expect(await lapsOf(sessionId)).toEqual(laps)
})
