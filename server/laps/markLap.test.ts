import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import { drivenFixes, startEarlier, uploadFixes } from '#testing/live/drivenLaps.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { recomputeLaps } from './computeLaps.ts'

const clock = heldClock()
let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene(clock)
})
afterAll(() => scene[Symbol.asyncDispose]())

/** A session that began two hours ago, with the fixes of five laps that are not uploaded yet. */
async function pastSession() {
  const { session } = await scene.newSession()
  const startMs = (await startEarlier(scene.app, session)) + 1000
  return { sessionId: session.id, startMs, fixes: drivenFixes(startMs) }
}

/** Waits until a session has a number of laps, and returns them. */
async function lapsOnce(sessionId: SessionId, count: number): Promise<Lap[]> {
  await expect
    .poll(async () => {
      clock.pass(2000)
      return (await scene.ana.call.laps.list({ sessionId })).laps.length
    })
    .toBe(count)
  return (await scene.ana.call.laps.list({ sessionId })).laps
}

function middleOf({ startedAt, timeMs }: Lap): number {
  return Math.round(startedAt + timeMs / 2)
}

function marked(laps: readonly Lap[]): Lap[] {
  return laps.filter(lap => lap.marked)
}

test('a marked lap is yellow on every open page, until the mark is removed (R12)', async () => {
  const { sessionId, fixes } = await pastSession()
  await uploadFixes(scene.leo, sessionId, fixes)
  const laps = await lapsOnce(sessionId, 4)
  const wall = await subscribedConnection(scene.leo, `session:${sessionId}`)
  const at = middleOf(laps[2]!)

  const table = await scene.ana.call.laps.mark({ sessionId, at, marked: true })
  const changed = { ...laps[2]!, yellow: true, marked: true }
  expect(table.laps).toEqual([laps[0], laps[1], changed, laps[3]])
  expect(await wall.next('laps-changed')).toEqual({
    t: 'laps-changed',
    session: sessionId,
    change: { revision: table.revision, gpsPoor: false, laps: [changed], removed: [] },
  })
  expect((await scene.leo.call.laps.list({ sessionId })).laps).toEqual(table.laps)
  expect(await recomputeLaps(scene.app.database.db, sessionId)).toEqual({ laps: [], visits: [] })

  // A mark at another time of the lap is the same one.
  await scene.ana.call.laps.mark({ sessionId, at: at + 1000, marked: true })
  const unmarked = await scene.ana.call.laps.mark({ sessionId, at: at - 1000, marked: false })
  expect(unmarked.laps).toEqual(laps)
})

test('a mark stays on its lap when earlier laps are added and its number changes', async () => {
  const { sessionId, startMs, fixes } = await pastSession()
  const later = fixes.filter(({ at }) => at > startMs + 180_000)
  await uploadFixes(scene.leo, sessionId, later)
  const [, before] = await lapsOnce(sessionId, 3)
  await scene.ana.call.laps.mark({ sessionId, at: middleOf(before!), marked: true })

  await uploadFixes(scene.leo, sessionId, fixes)
  const [after, ...others] = marked(await lapsOnce(sessionId, 4))
  expect(others).toEqual([])
  expect(after!.number).toBeGreaterThan(before!.number)
  expect(Math.abs(middleOf(after!) - middleOf(before!))).toBeLessThan(1000)
})

test('removing a mark leaves a lap with FCY yellow', async () => {
  const { sessionId, startMs, fixes } = await pastSession()
  const at = new Date(startMs + 250_000)
  await scene.app.database.db
    .insertInto('messages')
    .values({
      session_id: sessionId,
      version: 1,
      type: 'FCY',
      command_id: crypto.randomUUID(),
      sent_by: scene.ana.id,
      pressed_at: at,
      sent_at: at,
    })
    .execute()
  await uploadFixes(scene.leo, sessionId, fixes)
  const last = (await lapsOnce(sessionId, 4)).at(-1)!
  expect(last).toMatchObject({ yellow: true, yellowMessage: 'FCY', marked: false })
  const call = { sessionId, at: middleOf(last) }
  await scene.ana.call.laps.mark({ ...call, marked: true })
  const { laps } = await scene.ana.call.laps.mark({ ...call, marked: false })
  expect(laps.at(-1)).toEqual(last)
})

test('a time outside all laps is refused', async () => {
  const { sessionId, startMs, fixes } = await pastSession()
  await uploadFixes(scene.leo, sessionId, fixes)
  const laps = await lapsOnce(sessionId, 4)
  await expect(
    scene.ana.call.laps.mark({ sessionId, at: startMs - 60_000, marked: true }),
  ).rejects.toMatchObject({ code: 'not-found' })
  expect((await scene.ana.call.laps.list({ sessionId })).laps).toEqual(laps)
})

test('marks return with lap timing, and are deleted with the laps', async () => {
  const { sessionId, fixes } = await pastSession()
  await uploadFixes(scene.leo, sessionId, fixes)
  const laps = await lapsOnce(sessionId, 4)
  const at = middleOf(laps[1]!)
  const { laps: withMark } = await scene.ana.call.laps.mark({ sessionId, at, marked: true })

  await scene.ana.call.sessions.setLapTiming({ sessionId, lapTiming: false })
  await expect(scene.ana.call.laps.mark({ sessionId, at, marked: false })).rejects.toMatchObject({
    code: 'not-found',
  })
  await scene.ana.call.sessions.setLapTiming({ sessionId, lapTiming: true })
  expect(await lapsOnce(sessionId, 4)).toEqual(withMark)

  await scene.leo.call.sessions.deletePositions({ sessionId, withLaps: true })
  const { db } = scene.app.database
  const marks = db.selectFrom('lap_marks').selectAll().where('session_id', '=', sessionId)
  expect(await marks.execute()).toEqual([])
})
