import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { type Lap, maxChangedLaps } from '#contract/laps.ts'
import { lapRow } from '#testing/database/lapRow.ts'
import { drivenFixes, startEarlier, uploadFixes } from '#testing/live/drivenLaps.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'

const clock = heldClock()
let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene(clock)
})
afterAll(() => scene[Symbol.asyncDispose]())

const list = (sessionId: SessionId) => scene.ana.call.laps.list({ sessionId })

/** Waits until a session has a number of laps, and returns its table. */
async function tableOnce(sessionId: SessionId, count: number) {
  await expect
    .poll(async () => {
      clock.pass(2000)
      return (await list(sessionId)).laps.length
    })
    .toBe(count)
  return list(sessionId)
}

/** A session with the first laps of a drive, whose other fixes are not uploaded yet. */
async function drivenSession({ laps = 5, uploaded = 2 } = {}) {
  const { session } = await scene.newSession()
  const sessionId = session.id
  const fixes = drivenFixes((await startEarlier(scene.app, session)) + 1000, { laps })
  let sent = 0
  /** Uploads further fixes, until a little after the end of a lap. */
  const upload = async (lap: number) => {
    const end = Math.ceil((lap * fixes.length) / laps) + 20
    await uploadFixes(scene.leo, sessionId, fixes.slice(sent, end))
    sent = end
  }
  await upload(uploaded)
  const table = await tableOnce(sessionId, uploaded)
  const wall = await subscribedConnection(scene.ana, `session:${sessionId}`)
  return { sessionId, table, wall, upload }
}

test('a finished lap is published with its content and the next revision (R12)', async () => {
  const { sessionId, table: before, wall, upload } = await drivenSession()
  await upload(3)
  const table = await tableOnce(sessionId, 3)
  expect(await wall.next('laps-changed')).toEqual({
    t: 'laps-changed',
    session: sessionId,
    change: {
      revision: before.revision! + 1,
      gpsPoor: false,
      laps: table.laps.filter((lap, index) => !isSame(lap, before.laps[index])),
      removed: [],
    },
  })
  expect(table.revision).toBe(before.revision! + 1)
})

test('a lap that does not exist any more is published as removed (R12)', async () => {
  const { sessionId, table, wall, upload } = await drivenSession()
  const falsified = lapRow(sessionId, { ...table.laps[1]!, number: 99 })
  await scene.app.database.db.insertInto('laps').values(falsified).execute()
  await upload(3)
  await tableOnce(sessionId, 3)
  const { change } = await wall.next('laps-changed')
  expect(change).toMatchObject({ removed: [99] })
})

test('many changed laps are published without their content (R12)', async () => {
  const laps = maxChangedLaps + 4
  const { sessionId, table: before, wall, upload } = await drivenSession({ laps })
  await upload(laps - 1)
  const table = await tableOnce(sessionId, laps - 1)
  const event = await wall.next('laps-changed')
  expect(event).toEqual({ t: 'laps-changed', session: sessionId })
  expect(table.revision).toBeGreaterThan(before.revision!)
})

test('no revision is used again after lap timing was turned off and on (R12)', async () => {
  const { sessionId, table: before, wall } = await drivenSession()
  await scene.ana.call.sessions.setLapTiming({ sessionId, lapTiming: false })
  expect(await wall.next('laps-changed')).toEqual({ t: 'laps-changed', session: sessionId })
  expect(await list(sessionId)).not.toHaveProperty('revision')
  await scene.ana.call.sessions.setLapTiming({ sessionId, lapTiming: true })
  const after = await tableOnce(sessionId, 2)
  expect(after.laps).toEqual(before.laps)
  expect(after.revision).toBeGreaterThan(before.revision!)
})

test('only members receive laps that are published (R2)', async () => {
  const { sessionId, upload } = await drivenSession()
  const eve = await scene.app.person('Eve')
  const stranger = await eve.connect()
  stranger.send({ t: 'subscribe', room: `session:${sessionId}` })
  expect(await stranger.next('refused')).toMatchObject({ code: 'not-a-member' })
  await upload(3)
  await tableOnce(sessionId, 3)
  expect(stranger.all().filter(({ t }) => t === 'laps-changed')).toEqual([])
})

function isSame(lap: Lap, other: Lap | undefined) {
  return JSON.stringify(lap) === JSON.stringify(other)
}
