import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import type { Lap, LapTable } from '#contract/laps.ts'
import type { MessageType } from '#contract/messages.ts'
import { drivenFixes, startEarlier, uploadFixes } from '#testing/live/drivenLaps.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { fix, type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { recomputeLaps } from './computeLaps.ts'

const clock = heldClock()
let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene(clock)
})
afterAll(() => scene[Symbol.asyncDispose]())

/** A session that began two hours ago. */
async function pastSession() {
  const { session } = await scene.newSession()
  return { sessionId: session.id, startMs: (await startEarlier(scene.app, session)) + 1000 }
}

function table(sessionId: SessionId): Promise<LapTable> {
  return scene.ana.call.laps.list({ sessionId })
}

/** Waits until the laps of a session fit, and returns them. */
async function lapsThat(sessionId: SessionId, fit: (laps: Lap[]) => boolean): Promise<Lap[]> {
  await expect
    .poll(async () => {
      clock.pass(2000)
      return fit((await table(sessionId)).laps)
    })
    .toBe(true)
  return (await table(sessionId)).laps
}

function kinds(laps: readonly Lap[]) {
  return laps.map(({ kind }) => kind)
}

test('laps of uploaded fixes are computed, stored and published (R12)', async () => {
  const { sessionId, startMs } = await pastSession()
  const wall = await subscribedConnection(scene.ana, `session:${sessionId}`)
  await uploadFixes(scene.leo, sessionId, drivenFixes(startMs))

  const laps = await lapsThat(sessionId, ({ length }) => length === 4)
  expect(await wall.next('laps-changed')).toMatchObject({ session: sessionId })
  expect(kinds(laps)).toEqual(['out', 'full', 'full', 'full'])
  expect(laps.map(({ number }) => number)).toEqual([0, 1, 2, 3])
  for (const { timeMs, plusMinusMs, yellow, isSeen } of laps.slice(1)) {
    expect(Math.abs(timeMs - (laps[1]?.timeMs ?? 0))).toBeLessThan(2 * plusMinusMs)
    expect({ yellow, isSeen }).toEqual({ yellow: false, isSeen: true })
  }
  expect(await table(sessionId)).toMatchObject({
    lapTiming: true,
    circuit: { name: 'Circuit Zolder' },
    gpsPoor: false,
  })
})

test('fixes that arrive in any order give the same laps', async () => {
  const inOrder = await pastSession()
  const fixes = drivenFixes(inOrder.startMs, { laps: 6 })
  await uploadFixes(scene.leo, inOrder.sessionId, fixes)
  const expected = await lapsThat(inOrder.sessionId, ({ length }) => length === 5)

  const { sessionId, startMs } = await pastSession()
  const shiftMs = startMs - inOrder.startMs
  const shifted = fixes.map(each => ({ ...each, at: each.at + shiftMs }))
  const asExpected = expected.map(lap => ({ ...lap, startedAt: lap.startedAt + shiftMs }))
  // The end first, then the middle without a dead zone, then the rest in reverse.
  await uploadFixes(scene.leo, sessionId, shifted.slice(400))
  await lapsThat(sessionId, ({ length }) => length > 0)
  const middle = shifted.slice(150, 400)
  await uploadFixes(
    scene.leo,
    sessionId,
    middle.filter((_, index) => index < 60 || index > 90),
  )
  await lapsThat(sessionId, laps => laps.length > 2)
  await uploadFixes(scene.leo, sessionId, shifted.slice(0, 150).reverse())
  await uploadFixes(scene.leo, sessionId, middle)
  const laps = await lapsThat(sessionId, found => found.length === 5)
  expect(laps).toEqual(asExpected)
  expect(await recomputeLaps(scene.app.database.db, sessionId)).toEqual({ laps: [], visits: [] })
})

test('fixes of a live connection continue the laps of stored ones', async () => {
  const { sessionId, startMs } = await pastSession()
  const fixes = drivenFixes(startMs, { laps: 4 }).slice(0, 310)
  await uploadFixes(scene.leo, sessionId, fixes.slice(0, 220))
  await lapsThat(sessionId, ({ length }) => length === 2)
  const phone = await scene.drivingConnection(sessionId)
  for (const { at, latitude: la, longitude: lo, speedKmh: v } of fixes.slice(220))
    phone.send(fix({ at, la, lo, v }))
  expect(kinds(await lapsThat(sessionId, ({ length }) => length === 3))).toEqual([
    'out',
    'full',
    'full',
  ])
})

test('the end of a session completes its last part', async () => {
  const { sessionId, startMs } = await pastSession()
  await uploadFixes(scene.leo, sessionId, drivenFixes(startMs, { laps: 3 }).slice(20, -40))
  await lapsThat(sessionId, ({ length }) => length === 2)
  await scene.leo.call.sessions.end({ sessionId })
  expect((await table(sessionId)).pending).toBe(true)
  const laps = await lapsThat(sessionId, ({ length }) => length === 3)
  expect(kinds(laps)).toEqual(['out', 'full', 'incomplete'])
  expect((await table(sessionId)).pending).toBe(false)
})

test.each(['FCY', 'Code 60'] as const)('a lap with the message %s is yellow', async type => {
  const { sessionId, startMs } = await pastSession()
  const lapMs = 100_000
  await message(sessionId, 1, type, startMs + 1.5 * lapMs)
  await message(sessionId, 2, 'Go', startMs + 2.3 * lapMs)
  await uploadFixes(scene.leo, sessionId, drivenFixes(startMs))
  const laps = await lapsThat(sessionId, ({ length }) => length === 4)
  const overlaps = ({ startedAt, timeMs }: Lap) =>
    startedAt < startMs + 2.3 * lapMs && startedAt + timeMs > startMs + 1.5 * lapMs
  expect(laps.map(({ yellow }) => yellow)).toEqual(laps.map(overlaps))
  const yellow = laps.filter(lap => lap.yellow)
  expect(yellow.length).toBeGreaterThan(0)
  for (const { yellowMessage } of yellow) expect(yellowMessage).toBe(type)
})

test('a message that was carried over counts from its press, whenever that was', async () => {
  const { sessionId, startMs } = await pastSession()
  const lapMs = 100_000
  await message(sessionId, 1, 'FCY', startMs + 1.5 * lapMs)
  // It was cleared on the phone that was taken for the one in the car until the positions of this one arrived.
  await message(sessionId, 2, null, startMs + 3.5 * lapMs, startMs + 1.7 * lapMs)
  await uploadFixes(scene.leo, sessionId, drivenFixes(startMs))
  const laps = await lapsThat(sessionId, ({ length }) => length === 4)
  const isYellow = ({ startedAt, timeMs }: Lap) =>
    startedAt < startMs + 1.7 * lapMs && startedAt + timeMs > startMs + 1.5 * lapMs
  expect(laps.map(({ yellow }) => yellow)).toEqual(laps.map(isYellow))
  expect(laps.some(isYellow)).toBe(true)
})

test('lap timing that is off stores no laps, and on computes them again', async () => {
  const { sessionId, startMs } = await pastSession()
  const wall = await subscribedConnection(scene.leo, `session:${sessionId}`)
  await uploadFixes(scene.leo, sessionId, drivenFixes(startMs, { laps: 3 }))
  const laps = await lapsThat(sessionId, ({ length }) => length === 2)
  await wall.next('laps-changed')

  await scene.ana.call.sessions.setLapTiming({ sessionId, lapTiming: false })
  expect((await wall.next('session-changed')).session.lapTiming).toBe(false)
  await wall.next('laps-changed')
  const nothing = { lapTiming: false, circuit: null, gpsPoor: false, laps: [], pending: false }
  expect(await table(sessionId)).toEqual(nothing)
  expect(await recomputeLaps(scene.app.database.db, sessionId)).toBeNull()
  const stored = (name: 'laps' | 'lap_timings') =>
    scene.app.database.db.selectFrom(name).selectAll().where('session_id', '=', sessionId).execute()
  expect([await stored('laps'), await stored('lap_timings')]).toEqual([[], []])

  await scene.ana.call.sessions.setLapTiming({ sessionId, lapTiming: true })
  expect(await lapsThat(sessionId, ({ length }) => length === 2)).toEqual(laps)
})

test('a session can be started without lap timing', async () => {
  const team = await scene.ana.call.teams.create({ name: 'Track day' })
  const { id, lapTiming } = await scene.ana.call.sessions.start({
    teamId: team.id,
    name: 'Spa',
    lapTiming: false,
  })
  expect(lapTiming).toBe(false)
  expect((await table(id)).lapTiming).toBe(false)
})

test('laps stay when the positions are deleted, and later laps follow them', async () => {
  const { sessionId, startMs } = await pastSession()
  await uploadFixes(
    scene.leo,
    sessionId,
    drivenFixes(startMs, { laps: 6, elsewhere: true }).slice(20),
  )
  const laps = await lapsThat(sessionId, ({ length }) => length === 6)
  expect((await table(sessionId)).circuit).toMatchObject({ name: null })
  await scene.leo.call.sessions.deletePositions({ sessionId })
  expect((await table(sessionId)).circuit).toBeNull()
  expect(await recomputeLaps(scene.app.database.db, sessionId)).toEqual({ laps: [], visits: [] })
  expect((await table(sessionId)).laps).toEqual(laps)

  // As if they had been deleted before the second half of the session.
  const deletedAtMs = startMs + 3_600_000
  await scene.app.database.db
    .updateTable('sessions')
    .set({ positions_deleted_at: new Date(deletedAtMs) })
    .where('id', '=', sessionId)
    .execute()
  await uploadFixes(scene.leo, sessionId, drivenFixes(deletedAtMs + 1000, { laps: 3 }))
  const all = await lapsThat(sessionId, ({ length }) => length === 8)
  expect(all.slice(0, 6)).toEqual(laps)
  expect(all.slice(6).map(({ number, kind }) => [number, kind])).toEqual([
    [6, 'out'],
    [7, 'full'],
  ])
})

test('the driver can delete the laps with the positions', async () => {
  const { sessionId, startMs } = await pastSession()
  const fixes = drivenFixes(startMs, { laps: 3 })
  await uploadFixes(scene.leo, sessionId, fixes)
  await lapsThat(sessionId, ({ length }) => length === 2)
  await scene.leo.call.sessions.deletePositions({ sessionId, withLaps: true })
  expect(await table(sessionId)).toMatchObject({ laps: [], circuit: null, pending: false })
  await uploadFixes(scene.leo, sessionId, fixes)
  clock.pass(2000)
  expect(await recomputeLaps(scene.app.database.db, sessionId)).toEqual({ laps: [], visits: [] })
})

/** Stores a message. With a time of its press it was carried over later. */
function message(
  sessionId: SessionId,
  version: number,
  type: MessageType | null,
  sentMs: number,
  pressedMs?: number,
) {
  const values = { session_id: sessionId, version, type, sent_by: scene.ana.id }
  const times = { pressed_at: new Date(pressedMs ?? sentMs), sent_at: new Date(sentMs) }
  const isCarriedOver = pressedMs !== undefined
  return scene.app.database.db
    .insertInto('messages')
    .values({ ...values, ...times, command_id: crypto.randomUUID(), carried_over: isCarriedOver })
    .execute()
}
