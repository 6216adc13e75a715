import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionCircuit } from '#contract/circuits.ts'
import type { SessionId, TeamId } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import { distanceM } from '#contract/shared/geo.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/track.ts'
import { drivenFixes, startEarlier, uploadFixes } from '#testing/live/drivenLaps.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { recomputeLaps } from '../laps/computeLaps.ts'
import { makeRoomForLearned } from './learnedCircuits.ts'
import { moveToNewest } from './settleCircuit.ts'

const clock = heldClock()
let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene(clock)
})
afterAll(() => scene[Symbol.asyncDispose]())

/** A session that began two hours ago. */
async function pastSession() {
  const { session, team } = await scene.newSession()
  const startMs = (await startEarlier(scene.app, session)) + 1000
  return { sessionId: session.id, teamId: team.id, startMs }
}

function laps(sessionId: SessionId): Promise<Lap[]> {
  return scene.ana.call.laps.list({ sessionId }).then(table => table.laps)
}

async function lapsThat(sessionId: SessionId, fit: (laps: Lap[]) => boolean): Promise<Lap[]> {
  await expect
    .poll(async () => {
      clock.pass(2000)
      return fit(await laps(sessionId))
    })
    .toBe(true)
  return laps(sessionId)
}

async function circuitThat(
  sessionId: SessionId,
  fit: (circuit: SessionCircuit | null) => boolean = circuit => circuit !== null,
): Promise<SessionCircuit> {
  await expect
    .poll(async () => {
      clock.pass(2000)
      return fit(await scene.ana.call.circuits.ofSession({ sessionId }))
    })
    .toBe(true)
  return (await scene.ana.call.circuits.ofSession({ sessionId }))!
}

/** A session of six laps on a circuit that is not shipped. */
async function learnedSession() {
  const past = await pastSession()
  const fixes = drivenFixes(past.startMs, { laps: 6, elsewhere: true })
  await uploadFixes(scene.leo, past.sessionId, fixes)
  await lapsThat(past.sessionId, ({ length }) => length >= 4)
  const circuit = await circuitThat(past.sessionId)
  return { ...past, fixes, circuit }
}

test('a circuit is kept from the first lap, refined, and moves no shown lap by 0.1 s', async () => {
  const { sessionId, teamId, startMs } = await pastSession()
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
    clock.pass(2000)
    await expect.poll(async () => (await table(sessionId)).pending).toBe(false)
    for (const { number, timeMs } of await laps(sessionId)) {
      if (number === 0) continue
      expect(Math.abs(timeMs - (shown.get(number) ?? timeMs))).toBeLessThan(100)
      shown.set(number, timeMs)
    }
    const circuit = await scene.ana.call.circuits.ofSession({ sessionId })
    if (circuit) versions.add(circuit.version)
  }
  expect(await wall.next('circuits-changed')).toMatchObject({ team: teamId, session: sessionId })
  const circuit = await circuitThat(sessionId, known => (known?.version ?? 0) > 1)
  const [listed] = await scene.ana.call.circuits.list({ teamId })
  expect(listed).toMatchObject({ id: circuit.id, source: 'learned', name: null })
  const known = await scene.ana.call.circuits.get({ teamId, circuitId: circuit.id })
  expect(known.laps).toBeGreaterThanOrEqual(5)
  expect(known.errorM).toBeGreaterThan(0.5)
  expect(known.errorM).toBeLessThan(6)
  expect(known).toMatchObject({ lineSource: 'closed', direction: 'clockwise', canUndo: false })
  expect(versions.size).toBeGreaterThan(1)
  expect(shown.size).toBeGreaterThanOrEqual(6)
})

function table(sessionId: SessionId) {
  return scene.ana.call.laps.list({ sessionId })
}

test('a session on a learned circuit uses it from the start, and ends with its version', async () => {
  const first = await learnedSession()
  await scene.leo.call.sessions.end({ sessionId: first.sessionId })
  await lapsThat(first.sessionId, all => all.at(-1)?.kind === 'incomplete')
  const { sessionId, startMs } = await sessionIn(first.teamId)
  await uploadFixes(
    scene.leo,
    sessionId,
    drivenFixes(startMs, { laps: 3, elsewhere: true, seed: 3 }),
  )
  const circuit = await circuitThat(sessionId)
  expect(circuit.id).toBe(first.circuit.id)

  // A change in the second session does not change the first one.
  const before = await laps(first.sessionId)
  const newest = await moveLine(sessionId, startMs + 100_000)
  expect(await scene.ana.call.circuits.ofSession({ sessionId: first.sessionId })).toMatchObject({
    version: first.circuit.version,
  })
  const { db } = scene.app.database
  expect(await recomputeLaps(db, first.sessionId)).toEqual({ laps: [], visits: [] })
  expect(await laps(first.sessionId)).toEqual(before)

  // It changes when an operator moves it to the newest version.
  expect(await moveToNewest(db, first.sessionId)).toEqual({
    from: first.circuit.version,
    to: newest.version,
  })
  const changes = await recomputeLaps(db, first.sessionId)
  expect(changes?.laps.length).toBeGreaterThan(2)
  expect(await recomputeLaps(db, first.sessionId)).toEqual({ laps: [], visits: [] })
})

/** Another session of the driver in a team. */
async function sessionIn(teamId: TeamId) {
  const session = await scene.leo.call.sessions.start({ teamId, name: 'Stint 2' })
  return { sessionId: session.id, startMs: (await startEarlier(scene.app, session)) + 1000 }
}

async function moveLine(sessionId: SessionId, at: number) {
  const { circuit } = await scene.leo.call.circuits.setGate({ sessionId, gate: 'line', at })
  return circuit
}

test('the line moves to the car, the laps follow, and both can be undone', async () => {
  const { sessionId, teamId, fixes, circuit } = await learnedSession()
  const before = await laps(sessionId)
  const car = fixes[250]!
  const wall = await subscribedConnection(scene.ana, `team:${teamId}`)

  const at = car.at + 400
  const moved = await scene.ana.call.circuits.setGate({ sessionId, gate: 'line', at })
  expect(moved.movedM).toBeGreaterThan(50)
  expect(moved.circuit).toMatchObject({
    version: circuit.version + 1,
    lineSource: 'tapped',
    canUndo: true,
    lineErrorM: expect.any(Number),
  })
  const here = { latitude: car.latitude!, longitude: car.longitude! }
  expect(distanceM(moved.circuit.line, here)).toBeLessThan(60)
  expect(nearestOnTrack(trackOf(circuit.outline), moved.circuit.line).offM).toBeLessThan(0.1)
  await wall.next('circuits-changed')
  const after = await lapsThat(sessionId, all => all[1]?.startedAt !== before[1]?.startedAt)
  const crossings = after.map(({ startedAt, timeMs }) => startedAt + timeMs)
  expect(Math.min(...crossings.map(ms => Math.abs(ms - at)))).toBeLessThan(1000)

  const undone = await scene.ana.call.circuits.undo({
    teamId,
    circuitId: circuit.id,
    version: moved.circuit.version,
  })
  expect(undone).toMatchObject({ version: circuit.version + 2, line: circuit.line })
  await lapsThat(sessionId, all => all[1]?.startedAt === before[1]?.startedAt)
  expect(await laps(sessionId)).toEqual(before)
  const again = { teamId, circuitId: circuit.id, version: moved.circuit.version }
  await expect(scene.ana.call.circuits.undo(again)).rejects.toMatchObject({
    detail: 'circuit-changed',
  })
})

test('the line is placed on the drawing, and a pit lane is removed and restored', async () => {
  const { sessionId, teamId, fixes, circuit } = await learnedSession()
  const ofCircuit = { teamId, circuitId: circuit.id }
  const place = circuit.outline[40]!
  const beside = { ...place, latitude: place.latitude + 0.01 }
  await expect(
    scene.ana.call.circuits.placeLine({ ...ofCircuit, place: beside }),
  ).rejects.toMatchObject({ detail: 'place-off-circuit' })
  const moved = await scene.ana.call.circuits.placeLine({ ...ofCircuit, place })
  expect(moved).toMatchObject({ lineSource: 'tapped', lineErrorM: null, canUndo: true })
  expect(distanceM(moved.line, place)).toBeLessThan(1)
  expect(await scene.ana.call.circuits.ofSession({ sessionId })).toMatchObject({
    version: moved.version,
  })

  await expect(scene.ana.call.circuits.removePitLane(ofCircuit)).rejects.toMatchObject({
    code: 'not-found',
  })
  for (const [gate, at] of [
    ['pit-in', fixes[200]!.at],
    ['pit-out', fixes[210]!.at],
  ] as const)
    await scene.leo.call.circuits.setGate({ sessionId, gate, at })
  const before = await scene.ana.call.circuits.get(ofCircuit)
  const removed = await scene.ana.call.circuits.removePitLane(ofCircuit)
  expect(removed).toMatchObject({ pitIn: null, pitOut: null, pitLane: null, canUndo: true })
  const restored = await scene.ana.call.circuits.undo({ ...ofCircuit, version: removed.version })
  expect(restored.pitLane).toEqual(before.pitLane)
})

test('a driver who became a viewer sets the line and undoes it; other viewers do not', async () => {
  const { sessionId, teamId, fixes, circuit } = await learnedSession()
  const { db } = scene.app.database
  await db
    .updateTable('team_access')
    .set({ role: 'viewer' })
    .where('team_id', '=', teamId)
    .where('user_id', '=', scene.leo.id)
    .execute()
  const at = fixes[250]!.at
  const { version } = await moveLine(sessionId, at)
  const ofCircuit = { teamId, circuitId: circuit.id }
  expect(await scene.leo.call.circuits.undo({ ...ofCircuit, version })).toMatchObject({
    line: circuit.line,
  })
  const again = await scene.ana.call.circuits.setGate({ sessionId, gate: 'line', at })
  await scene.leo.call.sessions.end({ sessionId })
  await expect(
    scene.leo.call.circuits.undo({ ...ofCircuit, version: again.circuit.version }),
  ).rejects.toMatchObject({ code: 'view-only' })
})

test('a known circuit is timed against its direction, and the line is set there too', async () => {
  const { sessionId, teamId, startMs } = await pastSession()
  const forward = drivenFixes(startMs, { laps: 4 })
  const endMs = forward.at(-1)!.at
  const fixes = forward.toReversed().map(fix => ({ ...fix, at: startMs + endMs - fix.at }))
  await uploadFixes(scene.leo, sessionId, fixes)
  const timed = await lapsThat(sessionId, ({ length }) => length >= 3)
  expect(timed.filter(({ kind }) => kind === 'full').length).toBeGreaterThanOrEqual(2)
  for (const { kind, timeMs } of timed.filter(lap => lap.kind === 'full'))
    expect([kind, Math.round(timeMs / 10_000)]).toEqual(['full', 10])
  const circuit = await circuitThat(sessionId)
  expect(circuit.id).toBe('zolder')
  const sources = (await scene.ana.call.circuits.list({ teamId })).map(({ source }) => source)
  expect(sources).not.toContain('learned')

  // Two seconds after the last position: the car has driven on in its own direction.
  const [before, last] = [fixes.at(-2)!, fixes.at(-1)!]
  const { circuit: moved } = await scene.leo.call.circuits.setGate({
    sessionId,
    gate: 'line',
    at: last.at + 2000,
  })
  const place = (fix: typeof last) => ({ latitude: fix.latitude!, longitude: fix.longitude! })
  expect(distanceM(moved.line, place(before))).toBeGreaterThan(
    distanceM(moved.line, place(last)) + 10,
  )
})

test('a team keeps 100 learned circuits: the oldest without a name goes', async () => {
  const { teamId, circuit } = await learnedSession()
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
  const { teamId, circuit } = await learnedSession()
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

test('two taps set the pit lane; a car far away, or unknown, sets nothing', async () => {
  const { sessionId, teamId, fixes, circuit } = await learnedSession()
  const set = (gate: 'pit-in' | 'pit-out' | 'line', at: number) =>
    scene.leo.call.circuits.setGate({ sessionId, gate, at })
  expect(await set('pit-in', fixes[200]!.at)).toMatchObject({
    movedM: null,
    circuit: { pitLane: null, pitOut: null },
  })
  const { circuit: both } = await set('pit-out', fixes[210]!.at)
  expect(both.pitLane).not.toBeNull()
  const undone = await scene.leo.call.circuits.undo({
    teamId,
    circuitId: circuit.id,
    version: both.version,
  })
  expect(undone).toMatchObject({ pitIn: both.pitIn, pitOut: null, pitLane: null })

  await expect(set('line', fixes.at(-1)!.at + 60_000)).rejects.toMatchObject({
    detail: 'car-unknown',
  })
  await uploadFixes(scene.leo, sessionId, [
    { ...fixes[0]!, at: fixes.at(-1)!.at + 120_000, latitude: 49.9, speedKmh: 0 },
  ])
  await expect(set('line', fixes.at(-1)!.at + 120_000)).rejects.toMatchObject({
    detail: 'car-off-circuit',
  })
  await scene.leo.call.sessions.end({ sessionId })
  await expect(set('line', fixes[200]!.at)).rejects.toMatchObject({ code: 'session-ended' })
})

test('a team changes the line of a shipped circuit for itself only', async () => {
  const { sessionId, teamId, startMs } = await pastSession()
  await uploadFixes(scene.leo, sessionId, drivenFixes(startMs, { laps: 3 }))
  await lapsThat(sessionId, ({ length }) => length === 2)
  expect(await circuitThat(sessionId)).toMatchObject({ id: 'zolder', version: 1 })
  const { line, version } = await moveLine(sessionId, startMs + 150_000)
  expect(version).toBe(2)
  const mine = await scene.ana.call.circuits.get({ teamId, circuitId: 'zolder' })
  expect(mine).toMatchObject({ line, source: 'shipped', name: 'Circuit Zolder', lengthM: 4011 })
  const other = await scene.ana.call.teams.create({ name: 'Another' })
  const theirs = await scene.ana.call.circuits.get({ teamId: other.id, circuitId: 'zolder' })
  expect(distanceM(theirs.line, line)).toBeGreaterThan(100)
})

test('a deleted circuit stays with ended sessions; an active one keeps it', async () => {
  const { sessionId, teamId, circuit } = await learnedSession()
  const ofCircuit = { teamId, circuitId: circuit.id }
  const renamed = await scene.ana.call.circuits.rename({ ...ofCircuit, name: 'Home' })
  expect(renamed).toMatchObject({ name: 'Home', version: circuit.version })
  await expect(scene.ana.call.circuits.delete(ofCircuit)).rejects.toMatchObject({
    detail: 'circuit-in-use',
  })
  await scene.leo.call.sessions.end({ sessionId })
  await scene.ana.call.circuits.delete(ofCircuit)
  await expect(scene.ana.call.circuits.get(ofCircuit)).rejects.toMatchObject({ code: 'not-found' })
  expect((await scene.ana.call.circuits.list({ teamId })).map(({ id }) => id)).not.toContain(
    circuit.id,
  )
  expect(await scene.ana.call.circuits.ofSession({ sessionId })).toMatchObject({ name: 'Home' })
  const { db } = scene.app.database
  await recomputeLaps(db, sessionId)
  expect(await recomputeLaps(db, sessionId)).toEqual({ laps: [], visits: [] })
})

test('deleting the positions deletes a circuit that only they have taught', async () => {
  const { sessionId, teamId, circuit } = await learnedSession()
  await scene.leo.call.sessions.deleteHistory({ sessionId })
  expect(await scene.ana.call.circuits.ofSession({ sessionId })).toBeNull()
  expect((await scene.ana.call.circuits.list({ teamId })).map(({ id }) => id)).not.toContain(
    circuit.id,
  )
  expect((await laps(sessionId)).length).toBeGreaterThan(3)

  const first = await learnedSession()
  await scene.leo.call.sessions.end({ sessionId: first.sessionId })
  const second = await sessionIn(first.teamId)
  const fixes = drivenFixes(second.startMs, { laps: 2, elsewhere: true })
  await uploadFixes(scene.leo, second.sessionId, fixes)
  await circuitThat(second.sessionId)
  await scene.leo.call.sessions.deleteHistory({ sessionId: first.sessionId })
  expect(await circuitThat(second.sessionId)).toMatchObject({ id: first.circuit.id })
})
