import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { drivenFixes, uploadFixes } from '#testing/live/drivenLaps.ts'
import { subscribedConnection } from '#testing/live/liveScene.ts'
import { type TimedScene, timedScene } from '#testing/live/timedScene.ts'
import { recomputeLaps } from '../laps/computeLaps.ts'
import { makeRoomForLearned } from './learnedCircuits.ts'
import { moveToNewest } from './settleCircuit.ts'

let scene: TimedScene
beforeAll(async () => {
  scene = await timedScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

function table(sessionId: SessionId) {
  return scene.ana.call.laps.list({ sessionId })
}

test('a circuit is kept from the first lap, refined, and moves no shown lap by 0.1 s', async () => {
  const { sessionId, teamId, startMs } = await scene.pastSession()
  const wall = await subscribedConnection(scene.ana, `session:${sessionId}`)
  const fixes = drivenFixes(startMs, { laps: 8, elsewhere: true })
  expect(await scene.ana.call.circuits.ofSession({ sessionId })).toBeNull()

  await uploadFixes(scene.leo, sessionId, fixes.slice(0, 60))
  await expect
    .poll(async () => (await scene.ana.call.circuits.driven({ sessionId })).wayM)
    .toBeGreaterThan(1000)
  const shown = new Map<number, number>()
  const versions = new Set<number>()
  for (let from = 60; from < fixes.length; from += 40) {
    await uploadFixes(scene.leo, sessionId, fixes.slice(from, from + 40))
    scene.clock.pass(2000)
    await expect.poll(async () => (await table(sessionId)).pending).toBe(false)
    for (const { number, timeMs } of await scene.laps(sessionId)) {
      if (number === 0) continue
      expect(Math.abs(timeMs - (shown.get(number) ?? timeMs))).toBeLessThan(100)
      shown.set(number, timeMs)
    }
    const circuit = await scene.ana.call.circuits.ofSession({ sessionId })
    if (circuit) versions.add(circuit.version)
  }
  expect(await wall.next('circuits-changed')).toMatchObject({ team: teamId, session: sessionId })
  const circuit = await scene.circuitThat(sessionId, known => (known?.version ?? 0) > 1)
  const [listed] = await scene.ana.call.circuits.list({ teamId })
  expect(listed).toMatchObject({ id: circuit.id, source: 'learned', name: null })
  expect(listed?.learned).toEqual({ at: expect.any(Number), near: null })
  const { latitude, longitude } = circuit.line
  const places = Array.from({ length: 60 }, (_, index) => {
    const turn = (index * Math.PI) / 30
    const lat = latitude + 0.2 + 0.002 * Math.sin(turn)
    return `<rtept lat="${lat}" lon="${longitude + 0.004 * Math.cos(turn)}"/>`
  })
  const file = `<gpx><rte>${places.join('')}</rte></gpx>`
  await scene.ana.call.circuits.import({ teamId, name: 'Genk', file })
  const [again] = await scene.ana.call.circuits.list({ teamId })
  expect(again?.learned?.near).toBe('Genk')
  const known = await scene.ana.call.circuits.get({ teamId, circuitId: circuit.id })
  expect(known.laps).toBeGreaterThanOrEqual(5)
  expect(known.errorM).toBeGreaterThan(0.5)
  expect(known.errorM).toBeLessThan(6)
  expect(known).toMatchObject({ lineSource: 'closed', direction: 'clockwise', canUndo: false })
  expect(versions.size).toBeGreaterThan(1)
  expect(shown.size).toBeGreaterThanOrEqual(6)

  const green = (await scene.laps(sessionId)).filter(lap => lap.kind === 'full' && lap.isSeen)
  const usual = await scene.ana.call.circuits.usualLap({ teamId, circuitId: circuit.id })
  expect(usual).toMatchObject({ laps: green.length, at: green.at(-1)?.startedAt })
  expect(green.map(({ timeMs }) => timeMs)).toContain(usual?.timeMs)
  expect(await scene.ana.call.circuits.usualLap({ teamId, circuitId: 'zolder' })).toBeNull()
  expect(listed?.shape.length).toBeGreaterThan(20)
  const sides = (['x', 'y'] as const).map(axis => listed?.shape.map(place => place[axis]) ?? [])
  expect(Math.max(...sides.map(side => Math.max(...side) - Math.min(...side)))).toBe(100)
})

test('a session on a learned circuit uses it from the start, and ends with its version', async () => {
  const first = await scene.learnedSession()
  await scene.leo.call.sessions.end({ sessionId: first.sessionId })
  await scene.lapsThat(first.sessionId, all => all.at(-1)?.kind === 'incomplete')
  const { sessionId, startMs } = await scene.sessionIn(first.teamId)
  await uploadFixes(
    scene.leo,
    sessionId,
    drivenFixes(startMs, { laps: 3, elsewhere: true, seed: 3 }),
  )
  const circuit = await scene.circuitThat(sessionId)
  expect(circuit.id).toBe(first.circuit.id)

  // A change in the second session does not change the first one.
  const before = await scene.laps(first.sessionId)
  const { circuit: newest } = await scene.leo.call.circuits.setGate({
    sessionId,
    gate: 'line',
    at: startMs + 100_000,
  })
  expect(await scene.ana.call.circuits.ofSession({ sessionId: first.sessionId })).toMatchObject({
    version: first.circuit.version,
  })
  const { db } = scene.app.database
  expect(await recomputeLaps(db, first.sessionId)).toEqual({ laps: [], visits: [] })
  expect(await scene.laps(first.sessionId)).toEqual(before)

  // It changes when an operator moves it to the newest version.
  expect(await moveToNewest(db, first.sessionId)).toEqual({
    from: first.circuit.version,
    to: newest.version,
  })
  const changes = await recomputeLaps(db, first.sessionId)
  expect(changes?.laps.length).toBeGreaterThan(2)
  expect(await recomputeLaps(db, first.sessionId)).toEqual({ laps: [], visits: [] })
})

test('a team keeps 100 learned circuits: the oldest without a name goes', async () => {
  const { teamId, circuit } = await scene.learnedSession()
  const { db } = scene.app.database
  const copies = Array.from({ length: 99 }, (_, index) => ({
    team_id: teamId,
    id: `copy-${index}`,
    name: index === 0 ? 'Home' : null,
    source: 'learned' as const,
    newest_version: 1,
    created_at: new Date(index),
  }))
  await db.insertInto('circuits').values(copies).execute()
  await db.transaction().execute(trx => makeRoomForLearned(trx, teamId))
  const kept = await db
    .selectFrom('circuits')
    .select('id')
    .where('team_id', '=', teamId)
    .where('source', '=', 'learned')
    .where('deleted_at', 'is', null)
    .execute()
  const ids = kept.map(({ id }) => id)
  expect(ids).toHaveLength(99)
  expect(ids).toContain('copy-0')
  expect(ids).toContain(circuit.id)
  expect(ids).not.toContain('copy-1')
})

test('a team goes with its circuits in whichever order its tables are cleared', async () => {
  const { teamId, circuit } = await scene.learnedSession()
  const { db } = scene.app.database
  await db.transaction().execute(async trx => {
    await trx.deleteFrom('circuits').where('team_id', '=', teamId).execute()
    await trx.deleteFrom('sessions').where('team_id', '=', teamId).execute()
  })
  const left = db
    .selectFrom('circuit_versions')
    .select('version')
    .where('circuit_id', '=', circuit.id)
  expect(await left.execute()).toEqual([])
})

test('a new circuit name is published; ended sessions keep a deleted circuit', async () => {
  const { sessionId, teamId, circuit } = await scene.learnedSession()
  const ofCircuit = { teamId, circuitId: circuit.id }
  const wall = await subscribedConnection(scene.ana, `session:${sessionId}`)
  const renamed = await scene.ana.call.circuits.rename({ ...ofCircuit, name: 'Home' })
  expect(renamed).toMatchObject({ name: 'Home', version: circuit.version })
  expect(await wall.next('circuits-changed')).toMatchObject({ session: sessionId })
  await expect(scene.ana.call.circuits.delete(ofCircuit)).rejects.toMatchObject({
    detail: 'circuit-in-use',
  })
  await scene.leo.call.sessions.end({ sessionId })
  await scene.ana.call.circuits.delete(ofCircuit)
  await expect(scene.ana.call.circuits.get(ofCircuit)).rejects.toMatchObject({
    code: 'not-found',
  })
  expect((await scene.ana.call.circuits.list({ teamId })).map(({ id }) => id)).not.toContain(
    circuit.id,
  )
  expect(await scene.ana.call.circuits.ofSession({ sessionId })).toMatchObject({
    name: 'Home',
  })
  const { db } = scene.app.database
  await recomputeLaps(db, sessionId)
  expect(await recomputeLaps(db, sessionId)).toEqual({ laps: [], visits: [] })
})

test('deleting the positions deletes a circuit that only they have taught', async () => {
  const { sessionId, teamId, circuit } = await scene.learnedSession()
  await scene.leo.call.sessions.deletePositions({ sessionId })
  expect(await scene.ana.call.circuits.ofSession({ sessionId })).toBeNull()
  expect((await scene.ana.call.circuits.list({ teamId })).map(({ id }) => id)).not.toContain(
    circuit.id,
  )
  expect((await scene.laps(sessionId)).length).toBeGreaterThan(3)

  const first = await scene.learnedSession()
  await scene.leo.call.sessions.end({ sessionId: first.sessionId })
  const second = await scene.sessionIn(first.teamId)
  const fixes = drivenFixes(second.startMs, { laps: 2, elsewhere: true })
  await uploadFixes(scene.leo, second.sessionId, fixes)
  await scene.circuitThat(second.sessionId)
  await scene.leo.call.sessions.deletePositions({ sessionId: first.sessionId })
  expect(await scene.circuitThat(second.sessionId)).toMatchObject({ id: first.circuit.id })
})
