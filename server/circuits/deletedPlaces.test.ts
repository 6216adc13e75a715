import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { maxImportedCircuits } from '#contract/shared/circuits/circuitRules.ts'
import { drivenFixes, startEarlier, uploadFixes } from '#testing/live/drivenLaps.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import { timedSessions } from '../laps/computeLaps.ts'
import { Days } from '../telemetry/days.ts'
import { beginDeletion } from '../telemetry/deletePositions.ts'
import { refineCircuit } from './settleCircuit.ts'
import { newestVersion } from './storedCircuits.ts'

const clock = heldClock()
let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene(clock)
})
afterAll(() => scene[Symbol.asyncDispose]())

/** A session whose circuit is known. */
async function drivenSession(options: { elsewhere?: boolean } = {}) {
  const { session, team } = await scene.newSession()
  const startMs = (await startEarlier(scene.app, session)) + 1000
  const fixes = drivenFixes(startMs, { laps: 3, ...options })
  await uploadFixes(scene.leo, session.id, fixes)
  await expect
    .poll(async () => {
      clock.pass(2000)
      return scene.ana.call.circuits.ofSession({ sessionId: session.id })
    })
    .not.toBeNull()
  const circuit = (await scene.ana.call.circuits.ofSession({ sessionId: session.id }))!
  return { sessionId: session.id, teamId: team.id, fixes, circuit }
}

async function columnsOf(sessionId: SessionId) {
  const [session] = await timedSessions(scene.app.database.db, [sessionId])
  return session!
}

test('a line is not set at a position whose deletion has begun', async () => {
  const { sessionId, fixes } = await drivenSession()
  const { db } = scene.app.database
  await beginDeletion(db, { userId: scene.leo.id, sessionId, now: clock.now() })
  expect(await db.selectFrom('positions').select('at').execute()).not.toEqual([])
  await expect(
    scene.ana.call.circuits.setGate({ sessionId, gate: 'line', at: fixes[150]!.at }),
  ).rejects.toMatchObject({ detail: 'car-unknown' })
})

test('a circuit is not refined after the positions were deleted or timing stopped', async () => {
  const { sessionId, teamId, circuit } = await drivenSession({ elsewhere: true })
  const { db } = scene.app.database
  const before = await columnsOf(sessionId)
  const { outline, line, lengthM, direction } = await newestVersion(db, teamId, circuit.id)
  const learned = { outline, line, lengthM, direction, laps: 99, errorM: 1 }
  await scene.leo.call.sessions.setLapTiming({ sessionId, lapTiming: false })
  expect(await refineCircuit(db, before, learned)).toBeNull()
  await scene.leo.call.sessions.setLapTiming({ sessionId, lapTiming: true })
  // Another session has driven it too, so that it stays.
  await scene.leo.call.sessions.end({ sessionId })
  const { id } = await scene.leo.call.sessions.start({ teamId, name: 'Stint 2' })
  const pin = { circuit_id: before.circuit_id, circuit_version: before.circuit_version }
  await db.updateTable('sessions').set(pin).where('id', '=', id).execute()
  await beginDeletion(db, { userId: scene.leo.id, sessionId, now: clock.now() })
  expect(await refineCircuit(db, before, learned)).toBeNull()
  expect(await refineCircuit(db, await columnsOf(id), learned)).not.toBeNull()
})

test('deleted circuits take no room of new ones', async () => {
  const { team } = await scene.newSession()
  const { db } = scene.app.database
  await db
    .insertInto('circuits')
    .values(
      Array.from({ length: maxImportedCircuits }, () => ({
        team_id: team.id,
        id: crypto.randomUUID(),
        name: 'Old',
        source: 'imported' as const,
        deleted_at: new Date(),
      })),
    )
    .execute()
  const corners = [
    [5, 50],
    [5.01, 50],
    [5.01, 50.01],
    [5, 50],
  ]
  const file = JSON.stringify({ type: 'LineString', coordinates: corners })
  const name = 'New'
  expect(await scene.ana.call.circuits.import({ teamId: team.id, name, file })).toMatchObject({
    name,
  })
})

test('the driven way is read from the days of the session only', async () => {
  const { session } = await scene.newSession()
  const startMs = await startEarlier(scene.app, session)
  const { db } = scene.app.database
  const fixes = [...drivenFixes(startMs - 24 * 60 * 60 * 1000, { laps: 1, elsewhere: true })]
  await new Days(db).make(fixes.map(({ at }) => at))
  await db
    .insertInto('positions')
    .values(
      fixes.map(({ at, latitude, longitude }) => ({
        session_id: session.id,
        at: new Date(at),
        latitude,
        longitude,
      })),
    )
    .execute()
  expect(await scene.ana.call.circuits.driven({ sessionId: session.id })).toEqual({
    path: [],
    wayM: 0,
  })
})
